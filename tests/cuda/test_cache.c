/* The cache on disk: what is put is found; what is damaged, cut off, another's or half written is
 * not; processes and threads that use it at the same time. */
#include "test.h"

#include <pthread.h>
#include <sys/resource.h>

#include "cache_dir.h"
#include "dice.h"

/* ---- round trips ----------------------------------------------------------------------------- */

TEST(test_round_trip)
{
    static unsigned char key[70000], value[300000];
    static const size_t sizes[] = {0, 1, 7, 32, 33, 4096, 70000};
    for (size_t i = 0; i < sizeof key; ++i) key[i] = (unsigned char)(i * i >> 3);
    for (size_t i = 0; i < sizeof value; ++i) value[i] = (unsigned char)(i * 7 >> 2);
    for (size_t k = 0; k < 7; ++k)
        for (size_t v = 0; v < 7; ++v) {
            const size_t bytes = v == 6 ? sizeof value : sizes[v];
            void *got;
            size_t got_bytes;
            key[0] = (unsigned char)v;
            ct_cache_put(key, sizes[k], value, bytes);
            assert_int_equal(ct_cache_get(key, sizes[k], &got, &got_bytes), 0);
            assert_int_equal(got_bytes, bytes);
            assert_memory_equal(got, value, bytes);
            free(got);
        }
    void *got;
    size_t got_bytes;
    ct_cache_put(NULL, 0, NULL, 0);
    assert_int_equal(ct_cache_get(NULL, 0, &got, &got_bytes), 0);
    assert_int_equal(got_bytes, 0);
    free(got);
}

TEST(test_keys)
{
    assert_false(found("a", "1"));
    put("a", "1");
    assert_false(found("ab", "1"));
    assert_false(found("", "1"));
    assert_true(found("a", "1"));
    put("ab", "2");
    put("a", "three");
    assert_true(found("a", "three"));
    assert_true(found("ab", "2"));
    assert_int_equal(files_in(cache_dir, NULL), 2);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* The bytes of the only entry, and its path. */
static size_t read_entry(unsigned char *bytes, size_t capacity, char *path, size_t path_capacity)
{
    char name[256];
    assert_int_equal(files_in(cache_dir, name), 1);
    snprintf(path, path_capacity, "%s", in_cache(name));
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, capacity, file);
    fclose(file);
    assert_in_range(count, 1, capacity - 1);
    return count;
}

static void write_file(const char *path, const unsigned char *bytes, size_t count)
{
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

TEST(test_damage)
{
    unsigned char bytes[256];
    char path[400];
    put("the key", "the value of it");
    const size_t count = read_entry(bytes, sizeof bytes, path, sizeof path);
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < 9; ++k) { /* each bit, and all of them */
            const unsigned char change = k < 8 ? (unsigned char)(1 << k) : 0xff;
            bytes[i] ^= change;
            write_file(path, bytes, count);
            bytes[i] ^= change;
            assert_false(found("the key", "the value of it"));
        }
    for (size_t length = 0; length < count; ++length) {
        write_file(path, bytes, length);
        assert_false(found("the key", "the value of it"));
    }
    bytes[count] = 0;
    write_file(path, bytes, count + 1);
    assert_false(found("the key", "the value of it"));
    write_file(path, bytes, count);
    assert_true(found("the key", "the value of it"));
    write_file(path, bytes, count / 2);
    put("the key", "made anew");
    assert_true(found("the key", "made anew"));
    assert_int_equal(files_in(cache_dir, NULL), 1);
}

/* An entry under the name of another key, as if their hashes were the same. */
TEST(test_same_hash)
{
    unsigned char bytes[256];
    char one[400], two[400];
    put("one key", "its value");
    const size_t count = read_entry(bytes, sizeof bytes, one, sizeof one);
    assert_int_equal(unlink(one), 0);
    put("two key", "a value");
    unsigned char other[256];
    read_entry(other, sizeof other, two, sizeof two);
    assert_string_not_equal(one, two);
    write_file(two, bytes, count);
    assert_false(found("two key", "a value"));
    write_file(one, bytes, count);
    assert_true(found("one key", "its value"));
}

/* ---- a full disk ----------------------------------------------------------------------------- */

TEST(test_full_disk)
{
    unsigned char bytes[256];
    char path[400];
    put("key", "a value");
    const size_t count = read_entry(bytes, sizeof bytes, path, sizeof path);
    for (size_t space = 0; space < count; ++space) {
        memset(&disk, 0, sizeof disk);
        disk.on = 1;
        disk.space = space;
        put("key", "another"); /* of the same length */
        put("new", "another");
        disk.on = 0;
        assert_true(found("key", "a value"));
        assert_false(found("new", "another"));
        assert_int_equal(files_in(cache_dir, NULL), 1);
    }
    memset(&disk, 0, sizeof disk);
    disk.on = disk.rename_fails = 1;
    disk.space = 1000;
    put("key", "another");
    disk.rename_fails = 0;
    disk.space = count; /* just enough, in pieces, interrupted */
    disk.most = 3;
    disk.interrupts = 1;
    assert_true(found("key", "a value"));
    put("key", "another");
    disk.on = 0;
    assert_true(found("key", "another"));
    assert_int_equal(files_in(cache_dir, NULL), 1);
}

/* The system ends a process that writes beyond its limit: the cache does not try. */
static void under_limit(void)
{
    struct rlimit limit = {150, 150};
    if (setrlimit(RLIMIT_FSIZE, &limit)) _exit(97);
    char value[201];
    memset(value, 'x', 200);
    value[200] = 0;
    put("large", value);
    put("small", "fits");
    if (found("large", value)) _exit(1);
    if (!found("small", "fits")) _exit(2);
    if (files_in(cache_dir, NULL) != 1) _exit(3);
}

TEST(test_file_size_limit) { assert_int_equal(in_child(under_limit), 0); }

/* ---- at the same time ------------------------------------------------------------------------ */

enum { RACERS = 4, ROUNDS = 300, KEYS = 3 };

/* Value v of key k: its length and bytes follow from both, so that a mixture shows. */
static size_t make_value(int k, int v, unsigned char *value)
{
    const size_t bytes = 50 + (size_t)(k * 1000 + v * 37) % 3000;
    value[0] = (unsigned char)v;
    for (size_t i = 1; i < bytes; ++i) value[i] = (unsigned char)(k * 31 + v * 17 + (int)i);
    return bytes;
}

/* Puts and gets; the number of values that nobody put. */
static int race(uint64_t seed)
{
    dice rolls = dice_of(seed);
    unsigned char value[4096];
    int wrong = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        const int k = (int)dice_int(&rolls, 0, KEYS - 1), v = (int)dice_int(&rolls, 0, 199);
        if (dice_int(&rolls, 0, 1)) {
            ct_cache_put(&k, sizeof k, value, make_value(k, v, value));
            continue;
        }
        void *got;
        size_t bytes;
        if (ct_cache_get(&k, sizeof k, &got, &bytes)) continue;
        const size_t expected = make_value(k, *(unsigned char *)got, value);
        wrong += bytes != expected || memcmp(got, value, bytes) != 0;
        free(got);
    }
    return wrong;
}

static void *race_in_thread(void *seed) { return (void *)(intptr_t)race((uint64_t)(intptr_t)seed); }

static void race_of_processes(void)
{
    pid_t child[RACERS];
    for (int i = 0; i < RACERS; ++i) {
        child[i] = fork();
        if (child[i] == 0) _exit(race((uint64_t)i + 1) != 0);
        assert_true(child[i] > 0);
    }
    for (int i = 0; i < RACERS; ++i) {
        int status = -1;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
}

TEST(test_processes)
{
    fflush(NULL);
    race_of_processes();
    assert_int_equal(files_in(cache_dir, NULL), KEYS);
    setenv("CUTLET_CACHE_BYTES", "4000", 1); /* room for some of them: they are removed, too */
    race_of_processes();
    assert_in_range(files_in(cache_dir, NULL), 1, KEYS);
}

TEST(test_threads)
{
    pthread_t thread[RACERS];
    for (intptr_t i = 0; i < RACERS; ++i)
        assert_int_equal(pthread_create(&thread[i], NULL, race_in_thread, (void *)(i + 100)), 0);
    for (int i = 0; i < RACERS; ++i) {
        void *wrong;
        pthread_join(thread[i], &wrong);
        assert_null(wrong);
    }
    assert_int_equal(files_in(cache_dir, NULL), KEYS);
}

GROUP_OF_EACH("cache", new_cache, drop_cache)
