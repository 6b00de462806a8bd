#!/usr/bin/env python3
"""The command `cutlet` as a user meets it: output, exit statuses, one line for each complaint.

Usage: test_cli.py CUTLET SOURCE_DIR
Prints TAP."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

cutlet, source = sys.argv[1], sys.argv[2]
results = []


def run(*args, stdin='', cwd=None):
    env = dict(os.environ, NO_COLOR='1', LC_ALL='C')
    p = subprocess.run([cutlet, *args], input=stdin, capture_output=True, text=True, errors='replace', cwd=cwd,
                       env=env, timeout=60)
    return p.returncode, p.stdout, p.stderr


def check(name, ok, detail=''):
    results.append(ok)
    print(f'{"ok" if ok else "not ok"} {len(results)} - {name}')
    if not ok:
        print('\n'.join('# ' + line for line in str(detail).splitlines()))


def expect(name, got, status, out=None, err=None):
    """out and err: the whole text, or a function of it."""
    def holds(wanted, text):
        return wanted is None or (wanted(text) if callable(wanted) else text == wanted)
    check(name, got[0] == status and holds(out, got[1]) and holds(err, got[2]), got)


def has(*parts):
    return lambda text: all(p in text for p in parts)


def one_line(part):
    """One line that has this part."""
    return lambda text: text.count('\n') == 1 and part in text


def caret(message, line, place):
    """A message, the line, a caret under the place."""
    return f'cutlet {message}\n  {line}\n  {place}\n'


# The command itself.
expect('no command', run(), 2, '', one_line('a command is missing; `cutlet help` lists them'))
expect('unknown command', run('frob'), 2, '', one_line('there is no command `frob`'))
expect('unknown option', run('--frob'), 2, '', one_line('there is no option `--frob`'))
expect('version', run('--version'), 0, 'cutlet 0.1.0\n', '')
expect('help', run('help'), 0, has('eval EXPR...', 'check FILE...', 'draw', 'compare'), '')
expect('--help', run('--help'), 0, run('help')[1], '')
expect('help on the notation', run('help', 'notation'), 0, has('Sw<3,4,3> o 0 o (8,64):(64,1)'), '')
expect('help on operations', run('help', 'operations'), 0,
       has('composition(layout, tiler)', 'tiled_copy(copy atom, layout, layout)'), '')
expect('help on one operation', run('help', 'coalesce'), 0, lambda t: t.count('\n') == 8, '')
expect('help names the function and its header', run('help', 'composition'), 0,
       has('      in C: ct_composition, <cutlet/algebra/composition.h>\n', '      in C: ct_make_swizzled, <cutlet/'), '')
for name in re.findall(r'^  ([a-z_0-9]+)\(', run('help', 'operations')[1], re.M):
    if name == 'eval':
        continue # the help of the command
    sources = re.findall(r'^      in C: (\w+)[.\w]*, <(\S+)>$', run('help', name)[1], re.M)
    wrong = [(function, header) for function, header in sources
             if not re.search(rf'\b{function}\b[(;]', open(os.path.join(source, 'include', header)).read())]
    check(f'help {name}: its header', sources and not wrong, (sources, wrong))
expect('help on nothing', run('help', 'frob'), 2, '', one_line('`frob`'))
for command in ('eval', 'check', 'explain', 'draw', 'gemm', 'relayout', 'report', 'run', 'sass', 'verify', 'lint', 'completion'):
    shown = run(command, '--help')
    expect(f'{command} --help', shown, 0, has(f'Usage: cutlet {command}', f'  cutlet {command} '), '')
    expect(f'help {command}', run('help', command), 0, shown[1], '')
    expect(f'{command}: unknown option', run(command, '--frob', 'x'), 2, '',
           one_line(f'cutlet {command}: there is no option --frob'))
    expect(f'{command}: nothing given', run(command), 2, '', one_line(f'cutlet {command}: '))

# The examples of the help work.
for command in ('eval', 'explain'):
    for line in run(command, '--help')[1].splitlines():
        if line.startswith(f"  cutlet {command} '"):
            expression = line.split("'")[1]
            expect(f'example: {command} {expression}', run(command, expression), 0, lambda t: t != '', '')

# eval
expect('eval', run('eval', 'composition((6,2):(8,2), (4,3):(3,1))'), 0, '((2,2),3):((24,2),8)\n', '')
expect('eval of several', run('eval', '4:1', '(2,_3)', 'size(4:1) == 5'), 0, '4:1\n(2,3)\nfalse\n', '')
expect('eval: an operation fails', run('eval', 'complement((2,2):(2,6), 24)'), 1, '',
       caret('eval: complement: stride 6 is not a multiple of 4, the extent below it; the gap between them '
             'has no layout', 'complement((2,2):(2,6), 24)', '^~~~~~~~~~~~~~~~~~~~~~~~~~~'))
expect('eval: unbalanced', run('eval', 'size((4,8)'), 2, '',
       caret('eval: this parenthesis is never closed', 'size((4,8)', '    ^'))
expect('eval: zero shape', run('eval', '(4,0):(1,4)'), 2, '',
       caret('eval: layout: mode 1 has shape 0; a shape is at least 1', '(4,0):(1,4)', '^~~~~~~~~~~'))
expect('eval: huge number', run('eval', '4:99999999999999999999'), 2, '',
       caret('eval: this integer is out of range: integers are from -9223372036854775807 to 9223372036854775807',
             '4:99999999999999999999', '  ^~~~~~~~~~~~~~~~~~~~'))
expect('eval: a negative number', run('eval', '-5', '--', '-6'), 0, '-5\n-6\n', '')
expect('eval: a negative number, then an option', run('eval', '-5', '-j'), 0, has('"value":-5'), '')
expect('draw: an option at the end without its value', run('draw', '-4', '--run'), 2, '', one_line('--run lacks its value'))
expect('eval: the least of 64 bits', run('eval', '-9223372036854775808'), 2, '',
       has('integers are from -9223372036854775807 to'))
expect('eval: the least integer', run('eval', '-9223372036854775807'), 0, '-9223372036854775807\n', '')
expect('draw: the value of an option is negative', run('draw', '(4,8)', '--run', '-3'), 2, '', has('not `-3`'))
expect('eval: the rest is still printed', run('eval', '4:', '4:1'), 2, '4:1\n', has('expected'))
expect('eval: not UTF-8', run('eval', '4:1 \udcff'), 2, '', has('the byte 0xff'))
expect('eval: far to the right', run('eval', 'size(' + '(1,' * 40 + '1' + ')' * 40 + ') + 1'), 2, '',
       lambda t: len(t.splitlines()) == 3 and max(map(len, t.splitlines())) < 200 and '...' in t)


def as_json(*args):
    status, out, err = run('eval', '--json', *args)
    return status, [json.loads(line) for line in out.splitlines()], err


status, objects, err = as_json('((2,4),8):((1,16),2)', '(1@0,_)', '5@4:1', 'Sw<1,0,1> o 0 o 4:1', '<4,_>',
                               'offsets(20:1)', 'congruent(1,2)',
                               'tiled_copy(copy_atom(universal64, 16), (16,8):(8,1), (1,4):(1,1))')
check('--json: all are objects', status == 0 and err == '' and len(objects) == 8, objects)
check('--json: a layout', {k: objects[0][k] for k in ('kind', 'shape', 'stride', 'size', 'cosize', 'text')} ==
      {'kind': 'layout', 'shape': [[2, 4], 8], 'stride': [[1, 16], 2], 'size': 64, 'cosize': 64,
       'text': '((2,4),8):((1,16),2)'}, objects[0])
check('--json: a tuple', objects[1]['value'] == ['1@0', '_'], objects[1])
check('--json: a tensor', objects[2]['offset'] == 5 and objects[2]['layout']['shape'] == 4, objects[2])
check('--json: a composed layout', objects[3]['swizzle'] == {'bits': 1, 'base': 0, 'shift': 1}, objects[3])
check('--json: a tiler', objects[4]['tiles'][1] == '_', objects[4])
check('--json: a list', objects[5]['value'] == list(range(20)), objects[5])
check('--json: a truth', objects[6]['value'] is True, objects[6])
check('--json: a tiled copy', objects[7]['threads'] == 128 and objects[7]['tile'] == [16, 32], objects[7])
status, objects, err = as_json('4:', 'mode(4:1, 1)')
check('--json: errors', status == 2 and err == '' and objects[0]['error']['at'] == 2 and
      objects[1]['error']['message'].startswith('mode: there is no mode 1'), objects)

# explain
expect('explain', run('explain', 'coalesce((2,6):(1,2))'), 0,
       has('1. coalesce((2,6):(1,2))', 'merged to 12:1', '   = 12:1'), '')
expect('explain: an operation fails', run('explain', 'mode(4:1, 1)'), 1,
       has('fails: mode: there is no mode 1'), '')
expect('explain: bad input', run('explain', 'size('), 2, '', has('cutlet explain: ', '\n  size(\n  '))
expect('explain: two expressions', run('explain', '4', '5'), 2, '', one_line('one expression at a time'))

with tempfile.TemporaryDirectory() as folder:
    def path(name, text=None):
        full = os.path.join(folder, name)
        if text is not None:
            with open(full, 'w') as f:
                f.write(text)
        return full

    # check
    good = path('good.check', '# fine\nsize(4:1) == 4\n(2,2):(1,2) ~ 4:1\nmode(4:1, 1) == error\n')
    bad = path('bad.check', 'size(4:1) == 5\n')
    broken = path('broken.check', 'size(4:1) == 4\nsize(4:1 == 4\n')
    expect('check: passes', run('check', good), 0, '3 passed, 0 failed\n', '')
    expect('check: fails', run('check', bad), 1,
           f'{bad}:1: size(4:1) == 5\n  got       4\n  expected  5\n0 passed, 1 failed\n', '')
    expect('check: several files', run('check', good, bad), 1, lambda t: t.endswith('3 passed, 1 failed\n'))
    expect('check: quiet', run('check', '-q', bad), 1, '0 passed, 1 failed\n', '')
    expect('check: bad input', run('check', broken), 2,
           f'{broken}:2:5: this parenthesis is never closed\n  size(4:1 == 4\n      ^\n1 passed, 1 failed\n', '')
    expect('check: standard input', run('check', '-', stdin='4:1 == 4\n4:1 == 5\n'), 1,
           has('<stdin>:2: 4:1 == 5', '1 passed, 1 failed'))
    expect('check: no such file', run('check', path('none')), 2, '0 passed, 0 failed\n',
           one_line('No such file or directory'))
    expect('check: a folder', run('check', folder), 2, '0 passed, 0 failed\n', one_line('directory'))
    expect('check: an empty file', run('check', path('empty', '')), 0, '0 passed, 0 failed\n', '')
    expect('check: examples', run('check', '--examples', path('x.h', '/** Example: size(4:1) == 4 */\n'
           ' * Example: size(4:1)\n *     == 4\n')), 0, '2 passed, 0 failed\n', '')
    cases = os.path.join(source, 'tests', 'conformance', 'mma.check')
    expect('check: the conformance file of MMAs', run('check', cases), 0, '535 passed, 0 failed\n', '')
    cases = os.path.join(source, 'tests', 'conformance', 'cute.check')
    begin = time.time()
    expect('check: the conformance file', run('check', cases), 0, '5176 passed, 0 failed\n', '')
    print(f'# the conformance file took {time.time() - begin:.3f} s')

    # draw
    for name, expression in (('layout', '(8,8):(8,1)'), ('shape', '(4,(2,3))'), ('tensor', '5@(4,8):(8,1)'),
                             ('composed', 'Sw<2,0,3> o 0 o (8,8):(8,1)'), ('atom', 'copy_atom(ldmatrix_x1, 16)'),
                             ('copy', 'tiled_copy(copy_atom(universal64, 16), (4,8):(8,1), (1,4):(1,1))'),
                             ('mma_atom', 'mma_atom(SM90_64x8x16_F32F16F16_RS)'),
                             ('mma', 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <32,32,16>)')):
        for ending, part in (('svg', '<svg'), ('tex', 'tikzpicture')):
            file = path(f'{name}.{ending}')
            got = run('draw', expression, '-o', file)
            text = open(file).read() if os.path.exists(file) else ''
            check(f'draw {name}.{ending}', got == (0, '', '') and part in text, (got, text[:200]))
    expect('draw: in the terminal', run('draw', '(2,3):(3,1)'), 0, lambda t: '5' in t and '\x1b' not in t, '')
    expect('draw: in colours', run('draw', '--color=always', '(2,3):(3,1)'), 0, has('\x1b['), '')
    status, atoms, error = run('help', 'atoms')
    lines = atoms.splitlines()
    check('help atoms', (status, error) == (0, '') and len(set(lines)) == len(lines) > 10000 and
          {'copy_atom  ldmatrix_x4', 'mma_atom   universal_fma', 'mma_atom   SM80_16x8x16_F32F16F16F32_TN',
           'mma_atom   SM90_64x256x32_S32U8S8_RS_TN_SATURATE'} <= set(lines), lines[:3])
    expect('draw: an MMA atom', run('draw', 'mma_atom(SM80_16x8x8_F32TF32TF32F32_TN)'), 0,
           has('A\n m\\k', 'B\n n\\k', 'C\n m\\n', '  15  T28 V1 | T29 V1 | T30 V1 | T31 V1 | T28 V3'), '')
    expect('draw: a sparse MMA atom', run('draw', 'SM80_SPARSE_16x8x8_F32TF32TF32F32_TN'), 0,
           has('stored element of A (m,k/2)', 'A\n m\\k', 'E\n m\\bit'), '')
    expect('explain: what feeds an MMA atom', run('explain', 'mma_atom(SM80_16x8x16_F32F16F16F32_TN)'), 0,
           has('A is read by ldmatrix_x4 from shared memory if k is contiguous, by ldmatrix_x4_trans if m is\n',
               'B is read by ldmatrix_x2 from shared memory if k is contiguous, by ldmatrix_x2_trans if n is\n'), '')
    expect('explain: an atom without ldmatrix', run('explain', 'mma_atom(SM80_8x8x4_F64F64F64F64_TN)'), 0,
           has('A cannot be read by ldmatrix\n', 'B cannot be read by ldmatrix\n'), '')
    expect('explain: a sparse MMA atom', run('explain', 'mma_atom(SM80_SPARSE_16x8x64_S32S4S4S32_TN)'), 0,
           has('A (m,k/2) of S4', 'A is sparse: of each 8 elements along k, 4 are stored, and 4 bits of E say which pairs.',
               '((2,2,8),32):((8,0,1),16); the selector s, 0 to 1, takes that of threads 2s and 2s + 1 of each 4'), '')
    expect('explain: an MMA atom in tensor memory', run('explain', 'mma_atom(SM100_256x64x64_F32E2M1E2M1_2x1SM_SS_VS16)'),
           0, has('D in tensor memory: (m,n) -> (lane, column, block): ((128,2),64):((1@0,1@2),1@1)',
                  'scale factors of A (m,factor), bytes of ue4m3, one for 16 stored elements along k, -> (lane, column, '
                  'byte) of tensor memory: ((32,4,2),4):((1@0,1@1,1@3),1@2)'), '')
    expect('eval: a sparse MMA atom as JSON', run('eval', '--json', 'SM80_SPARSE_16x8x16_F32F16F16F32_TN'), 0,
           has('"e":{"from":"registers","selectors":4,"tv":'), '')
    expect('eval: an MMA atom of tensor memory as JSON', run('eval', '--json', 'SM100_64x64x16_F32F16F16_SS'), 0,
           has('"tmem":{'), '')
    expect('eval: metadata of a dense atom', run('eval', 'tv_layout_e(SM80_16x8x16_F32F16F16F32_TN)'), 1, '',
           lambda t: 'the instruction is not sparse, and only sparse ones have metadata (E)' in t)
    expect('eval: k of sparse atoms in another order',
           run('eval', 'tiled_mma(SM80_SPARSE_16x8x32_F32F16F16F32_TN, 1, <16,8,(16,2):(2,1)>)'), 1, '',
           lambda t: 'the permutation of k reorders its 32 elements' in t)
    expect('eval: nothing in tensor memory', run('eval', 'tmem_layout_c(SM61_DP4A)'), 1, '',
           lambda t: 'only tcgen05.mma has C in tensor memory' in t)
    expect('eval: no scale factors', run('eval', 'tmem_scale_a(SM100_64x64x16_F32F16F16_SS)'), 1, '',
           lambda t: 'this instruction has none there' in t)
    expect('draw: a tiled MMA past its tile',
           run('draw', 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (1,2,2))'), 2, '', one_line('outside the tile'))
    expect('eval: an MMA atom as JSON', run('eval', '--json', 'mma_atom(SM61_DP4A)'), 0,
           has('"kind":"mma_atom"', '"shape":[1,1,4]', '"from":"registers"'), '')
    expect('eval: a tiled MMA as JSON', run('eval', '--json', 'tiled_mma(universal_fma, (4,4))'), 0,
           has('"kind":"tiled_mma"', '"shape":[4,4,1]', '"tiles":'), '')
    expect('draw: threads', run('draw', '--tile', '(4,8)', '((2,4),(2,2)):((8,1),(4,16))'), 0,
           has('T7 V3'), '')
    expect('draw: a folder that is not there', run('draw', '4:1', '-o', path('none/x.svg')), 2, '',
           one_line('none/x.svg'))
    expect('draw: an unknown ending', run('draw', '4:1', '-o', path('x.png')), 2, '', one_line('x.png'))
    expect('draw: bad input', run('draw', '4:', '-o', path('y.svg')), 2, '', has('expected'))
    expect('draw: an operation fails', run('draw', 'mode(4:1, 1)', '-o', path('y.svg')), 1, '', has('no mode 1'))
    expect('draw: many cells', run('draw', '(4096,4096)', '-o', path('large.svg')), 0, '', '')
    with open(path('large.svg')) as file:
        check('draw: what is left out', 'Only the first 64 of 4096 rows and 64 of 4096 columns are drawn' in file.read())
    expect('draw: no picture', run('draw', 'Sw<1,0,1>', '-o', path('y.svg')), 2, '', one_line('a swizzle has no picture'))
    expect('draw: a zero shape', run('draw', '(4,0)', '-o', path('y.svg')), 2, '', has('shape 0'))
    expect('draw: bad option', run('draw', '4:1', '--theme', 'pink'), 2, '', one_line('not `pink`'))
    expect('draw: bad tile', run('draw', '--tile', '(4', '(4,2)'), 2, '', one_line('--tile (4'))
    check('draw: nothing is left behind', not os.path.exists(path('y.svg')) and
          not [f for f in os.listdir(folder) if f.startswith(('.', 'y', 'x.png')) or f.endswith('tmp')],
          os.listdir(folder))

    # completion
    for shell, part in (('bash', 'complete -o filenames -F _cutlet cutlet'), ('zsh', '#compdef cutlet'),
                        ('fish', 'complete -c cutlet')):
        expect(f'completion {shell}', run('completion', shell), 0, has(part, 'logical_divide', 'eval'), '')
    expect('completion: no such shell', run('completion', 'csh'), 2, '', one_line('`csh`'))
    script = path('completion.bash', run('completion', 'bash')[1])
    def completed(*words):
        """What bash offers for the last of the words."""
        quoted = ' '.join("'" + word + "'" for word in words)
        done = subprocess.run(['bash', '-c', f'source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; '
                               'compopt() { :; }; _cutlet; echo "${COMPREPLY[@]}"'], capture_output=True, text=True,
                              cwd=folder, env=dict(os.environ, PATH=os.path.dirname(os.path.abspath(cutlet)) + ':' +
                                                   os.environ['PATH']))
        return done.stdout.split() if not done.stderr else done.stderr
    path('matrix.npy', '')
    for words, offered in (
            (('cutlet', 'ex'), ['explain']), (('cutlet', '--'), ['--help', '--version']),
            (('cutlet', 'eval', 'compos'), ['composition(']), (('cutlet', 'explain', 'desc'), ['descriptor']),
            (('cutlet', 'draw', 'acc'), ['access']),
            (('cutlet', 'help', 'typ'), ['types']), (('cutlet', 'help', 'complem'), ['complement']),
            (('cutlet', 'explain', 'copy', '--src-'), ['--src-align']),
            (('cutlet', 'explain', 'descriptor', '--op'), ['--operand']),
            (('cutlet', 'draw', '--theme', 'd'), ['dark']), (('cutlet', 'draw', '--theme', '=', 'd'), ['dark']),
            (('cutlet', 'draw', '--theme', '='), ['auto', 'light', 'dark']),
            (('cutlet', 'suggest', '--type', 'bf'), ['bfloat16']), (('cutlet', 'report', '--arch', 'sm_12'), ['sm_120']),
            (('cutlet', 'access', '--kind', 'ldgsts.'), ['ldgsts.bypass']),
            (('cutlet', 'compare', '--variants', 'part'), ['partition']),
            (('cutlet', 'compare', '--input', 'mat'), ['matrix.npy']),
            (('cutlet', 'relayout', 'mat'), ['matrix.npy']),
            (('cutlet', 'explain', 'descriptor', '--atom', 'SM90_64x256x32_S32U8S8_RS_TN_'),
             ['SM90_64x256x32_S32U8S8_RS_TN_SATURATE']),
            (('cutlet', 'relayout', '--to', 't'), ['tiled:']), (('cutlet', 'help', '--'), ['--help']),
            (('cutlet', 'help', 'tiled_copy_c'), ['tiled_copy_c']),
            (('cutlet', 'suggest', '--threads', ''), [])):
        check(f'completion in bash: {" ".join(words)}', completed(*words) == offered, completed(*words))
    for shell in ('zsh', 'fish'):
        file = path(f'completion.{shell}', run('completion', shell)[1])
        if shutil.which(shell):
            done = subprocess.run([shell, '-n', file], capture_output=True, text=True)
            check(f'{shell} reads its completion', done.returncode == 0 and not done.stderr, done)
    if shutil.which('fish'):
        for line, offered in (('cutlet draw --theme d', 'dark'), ('cutlet explain desc', 'descriptor'),
                              ('cutlet explain descriptor --operand ', 'a')):
            done = subprocess.run(['fish', '-c', f'source {path("completion.fish")}; complete -C "{line}"'],
                                  capture_output=True, text=True, env=dict(os.environ, HOME=folder))
            check(f'completion in fish: {line}', offered in done.stdout.split(), done)

# A full disk is told.
if os.path.exists('/dev/full'):
    with open('/dev/full', 'w') as full:
        p = subprocess.run([cutlet, 'eval', '4:1'], stdout=full, stderr=subprocess.PIPE, text=True)
    check('a full disk', p.returncode == 2 and
          p.stderr == 'cutlet eval: standard output: No space left on device\n', p)

print(f'1..{len(results)}')
sys.exit(0 if all(results) else 1)
