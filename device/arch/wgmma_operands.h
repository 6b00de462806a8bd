/**
 * @internal The register lists of wgmma.h: the W 32-bit words of D as operands of an asm statement,
 * one line for each W. D has n/4 words of halves, or n/2 words of floats or integers.
 */
#ifndef CUTLET_DEVICE_ARCH_WGMMA_OPERANDS_H
#define CUTLET_DEVICE_ARCH_WGMMA_OPERANDS_H

/* X(i) for each word of D except the first. */
#define CT_WGMMA_D2(X) X(1)
#define CT_WGMMA_D4(X) CT_WGMMA_D2(X) X(2) X(3)
#define CT_WGMMA_D6(X) CT_WGMMA_D4(X) X(4) X(5)
#define CT_WGMMA_D8(X) CT_WGMMA_D6(X) X(6) X(7)
#define CT_WGMMA_D10(X) CT_WGMMA_D8(X) X(8) X(9)
#define CT_WGMMA_D12(X) CT_WGMMA_D10(X) X(10) X(11)
#define CT_WGMMA_D14(X) CT_WGMMA_D12(X) X(12) X(13)
#define CT_WGMMA_D16(X) CT_WGMMA_D14(X) X(14) X(15)
#define CT_WGMMA_D18(X) CT_WGMMA_D16(X) X(16) X(17)
#define CT_WGMMA_D20(X) CT_WGMMA_D18(X) X(18) X(19)
#define CT_WGMMA_D22(X) CT_WGMMA_D20(X) X(20) X(21)
#define CT_WGMMA_D24(X) CT_WGMMA_D22(X) X(22) X(23)
#define CT_WGMMA_D26(X) CT_WGMMA_D24(X) X(24) X(25)
#define CT_WGMMA_D28(X) CT_WGMMA_D26(X) X(26) X(27)
#define CT_WGMMA_D30(X) CT_WGMMA_D28(X) X(28) X(29)
#define CT_WGMMA_D32(X) CT_WGMMA_D30(X) X(30) X(31)
#define CT_WGMMA_D34(X) CT_WGMMA_D32(X) X(32) X(33)
#define CT_WGMMA_D36(X) CT_WGMMA_D34(X) X(34) X(35)
#define CT_WGMMA_D38(X) CT_WGMMA_D36(X) X(36) X(37)
#define CT_WGMMA_D40(X) CT_WGMMA_D38(X) X(38) X(39)
#define CT_WGMMA_D42(X) CT_WGMMA_D40(X) X(40) X(41)
#define CT_WGMMA_D44(X) CT_WGMMA_D42(X) X(42) X(43)
#define CT_WGMMA_D46(X) CT_WGMMA_D44(X) X(44) X(45)
#define CT_WGMMA_D48(X) CT_WGMMA_D46(X) X(46) X(47)
#define CT_WGMMA_D50(X) CT_WGMMA_D48(X) X(48) X(49)
#define CT_WGMMA_D52(X) CT_WGMMA_D50(X) X(50) X(51)
#define CT_WGMMA_D54(X) CT_WGMMA_D52(X) X(52) X(53)
#define CT_WGMMA_D56(X) CT_WGMMA_D54(X) X(54) X(55)
#define CT_WGMMA_D58(X) CT_WGMMA_D56(X) X(56) X(57)
#define CT_WGMMA_D60(X) CT_WGMMA_D58(X) X(58) X(59)
#define CT_WGMMA_D62(X) CT_WGMMA_D60(X) X(60) X(61)
#define CT_WGMMA_D64(X) CT_WGMMA_D62(X) X(62) X(63)
#define CT_WGMMA_D68(X) CT_WGMMA_D64(X) X(64) X(65) X(66) X(67)
#define CT_WGMMA_D72(X) CT_WGMMA_D68(X) X(68) X(69) X(70) X(71)
#define CT_WGMMA_D76(X) CT_WGMMA_D72(X) X(72) X(73) X(74) X(75)
#define CT_WGMMA_D80(X) CT_WGMMA_D76(X) X(76) X(77) X(78) X(79)
#define CT_WGMMA_D84(X) CT_WGMMA_D80(X) X(80) X(81) X(82) X(83)
#define CT_WGMMA_D88(X) CT_WGMMA_D84(X) X(84) X(85) X(86) X(87)
#define CT_WGMMA_D92(X) CT_WGMMA_D88(X) X(88) X(89) X(90) X(91)
#define CT_WGMMA_D96(X) CT_WGMMA_D92(X) X(92) X(93) X(94) X(95)
#define CT_WGMMA_D100(X) CT_WGMMA_D96(X) X(96) X(97) X(98) X(99)
#define CT_WGMMA_D104(X) CT_WGMMA_D100(X) X(100) X(101) X(102) X(103)
#define CT_WGMMA_D108(X) CT_WGMMA_D104(X) X(104) X(105) X(106) X(107)
#define CT_WGMMA_D112(X) CT_WGMMA_D108(X) X(108) X(109) X(110) X(111)
#define CT_WGMMA_D116(X) CT_WGMMA_D112(X) X(112) X(113) X(114) X(115)
#define CT_WGMMA_D120(X) CT_WGMMA_D116(X) X(116) X(117) X(118) X(119)
#define CT_WGMMA_D124(X) CT_WGMMA_D120(X) X(120) X(121) X(122) X(123)
#define CT_WGMMA_D128(X) CT_WGMMA_D124(X) X(124) X(125) X(126) X(127)

/* X(W, numbers of the ten operands after D). */
#define CT_WGMMA_EACH(X)                                                                           \
    X(2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)                                                           \
    X(4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)                                                         \
    X(6, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)                                                       \
    X(8, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)                                                     \
    X(10, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)                                                  \
    X(12, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21)                                                  \
    X(14, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23)                                                  \
    X(16, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25)                                                  \
    X(18, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27)                                                  \
    X(20, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)                                                  \
    X(22, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)                                                  \
    X(24, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33)                                                  \
    X(26, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35)                                                  \
    X(28, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37)                                                  \
    X(30, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39)                                                  \
    X(32, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41)                                                  \
    X(34, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43)                                                  \
    X(36, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45)                                                  \
    X(38, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47)                                                  \
    X(40, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49)                                                  \
    X(42, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51)                                                  \
    X(44, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53)                                                  \
    X(46, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55)                                                  \
    X(48, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57)                                                  \
    X(50, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59)                                                  \
    X(52, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61)                                                  \
    X(54, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63)                                                  \
    X(56, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65)                                                  \
    X(58, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67)                                                  \
    X(60, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69)                                                  \
    X(62, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71)                                                  \
    X(64, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73)                                                  \
    X(68, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77)                                                  \
    X(72, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81)                                                  \
    X(76, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85)                                                  \
    X(80, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89)                                                  \
    X(84, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93)                                                  \
    X(88, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97)                                                  \
    X(92, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101)                                                \
    X(96, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105)                                            \
    X(100, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109)                                       \
    X(104, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113)                                       \
    X(108, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117)                                       \
    X(112, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121)                                       \
    X(116, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125)                                       \
    X(120, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129)                                       \
    X(124, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133)                                       \
    X(128, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137)

#endif
