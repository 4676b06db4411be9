#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Macros at random: `gpucode run --json` and a model of the machine that shares nothing with it must agree.

usage: model.py GPUCODE [RUNS [SEED]]
Recorded runs with their results (GPUCODE_VECTORS/mme/execution.jsonl) go the same way where they are there.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

MASK = 0xffffffff
PRESETS = {'mme-carry': 'full', 'mme-load-maddr': 'parameter', 'mme-increment': '6', 'mme-unset': 'drop',
           'mme-double-branch': 'taken'}
CHOICES = {'mme-carry': ['full', 'mesa'], 'mme-load-maddr': ['parameter', 'result'], 'mme-increment': ['6', '4'],
           'mme-unset': ['drop', 'zero', 'fault'], 'mme-double-branch': ['taken', 'always']}


class Stop(Exception):
    pass


class Model:
    def __init__(self, words, param, state, policy, limit):
        self.words, self.limit = words, limit
        self.policy = dict(PRESETS, **policy)
        self.left = list(param)
        self.regs = [0] * 8
        if self.left:
            self.regs[1] = self.left.pop(0)
        self.methods = dict(state)
        self.carry, self.method, self.step_by, self.known = 0, 0, 0, False
        self.writes, self.steps, self.pc = [], 0, 0

    def alu(self, number, x, y):
        if number in (0, 1):
            total = x + y + (self.carry if number else 0)
            self.carry = total >> 32 if self.policy['mme-carry'] == 'full' else int(total & MASK < x)
            return total & MASK
        if number in (2, 3):
            total = x - y - (self.carry if number == 3 else 0)
            self.carry = int(total < 0) if self.policy['mme-carry'] == 'full' else int(total & MASK > x)
            return total & MASK
        return {8: x ^ y, 9: x | y, 10: x & y, 11: x & ~y, 12: ~(x & y)}[number] & MASK

    def result(self, word):
        x, y = self.regs[word >> 11 & 7], self.regs[word >> 14 & 7]
        immediate = (word >> 14) - (1 << 18 if word >> 31 else 0)
        source, size, target = word >> 17 & 31, word >> 22 & 31, word >> 27
        ones = (1 << size) - 1
        kind = word & 7
        if kind == 0:
            return self.alu(source, x, y)
        if kind == 1:
            return (x + immediate) & MASK
        if kind == 2:
            hole = ones << target & MASK
            return (x & ~hole) | ((y >> source & ones) << target & MASK)
        if kind == 3:
            return 0 if x > 31 else (y >> x & ones) << target & MASK
        if kind == 4:
            return 0 if x > 31 else (y >> source & ones) << x & MASK
        return self.methods.get(((x + immediate) & 0xfff) * 4, 0)

    def aim(self, value):
        self.method = (value & 0xfff) * 4
        self.step_by = (value >> 12 & (63 if self.policy['mme-increment'] == '6' else 15)) * 4
        self.known = True

    def send(self, value):
        if not self.known and self.policy['mme-unset'] == 'drop':
            return
        self.writes.append([f'0x{self.method:04x}', f'0x{value:x}'])
        self.methods[self.method] = value
        self.method = (self.method + self.step_by) & 0xffff

    def assign(self, word):
        use, register = word >> 4 & 7, word >> 8 & 7
        takes = use in (0, 3, 6) or (use == 5 and self.policy['mme-load-maddr'] == 'parameter')
        if takes and not self.left:
            raise Stop('parameters', 'too-few-parameters')
        if use in (3, 4) and not self.known and self.policy['mme-unset'] == 'fault':
            raise Stop('fault', 'no-address')
        r = self.result(word)
        if use in (2, 5, 6, 7):
            self.aim(r)
        value = r
        if use == 3:
            self.send(r)
        if use in (0, 3) or (use == 5 and takes):
            value = self.left.pop(0)
        if register:
            self.regs[register] = value
        if use == 4:
            self.send(r)
        elif use == 6:
            self.send(self.left.pop(0))
        elif use == 7:
            self.send(r >> 12 & 63)

    def run(self):
        try:
            self.loop()
        except Stop as stop:
            end, reason = stop.args
        return {'writes': self.writes, 'end': end, 'reason': reason, 'steps': self.steps, 'left': len(self.left),
                'registers': {f'$r{i}': f'0x{self.regs[i]:x}' for i in range(1, 8)}, 'carry': self.carry}

    def loop(self):
        jump = None         # where the way goes behind this word
        leaves = False      # the macro ends behind this word
        not_taken = False   # the word before is a delayed branch that was not taken
        while True:
            if self.steps == self.limit:
                raise Stop('limit', 'limit')
            if not 0 <= self.pc < min(len(self.words), 0x800):
                raise Stop('fault', 'out-of-code')
            word = self.words[self.pc]
            kind = word & 7
            if kind == 6 or (kind == 0 and (word >> 17 & 31) not in (0, 1, 2, 3, 8, 9, 10, 11, 12)):
                raise Stop('fault', 'illegal-opcode')
            slot = jump is not None or leaves or (not_taken and self.policy['mme-double-branch'] == 'always')
            if kind == 7 and slot:
                raise Stop('fault', 'double-branch')
            after, next_jump, leave_next, next_not_taken = self.pc + 1, None, bool(word & 0x80), False
            if kind == 7:
                zero = self.regs[word >> 11 & 7] == 0
                annul = bool(word & 0x20)
                if zero != bool(word & 0x10):
                    target = self.pc + (word >> 14) - (1 << 18 if word >> 31 else 0)
                    leave_next = False
                    if annul:
                        after = target
                    else:
                        next_jump = target
                else:
                    next_not_taken = not annul
            else:
                self.assign(word)
            self.steps += 1
            if leaves:
                raise Stop('exit', 'exit')
            self.pc = jump if jump is not None else after
            jump, leaves, not_taken = next_jump, leave_next, next_not_taken


def random_word(rng, at, size):
    exit_bit = 0x80 if rng.random() < 0.06 else 0
    kind = rng.choices([0, 1, 2, 3, 4, 5, 6, 7], [20, 25, 8, 8, 8, 6, 0.3, 14])[0]
    if kind == 7:
        target = rng.randrange(-1, size + 1) - at if rng.random() < 0.97 else rng.randrange(-30, 30)
        return (target & 0x3ffff) << 14 | rng.randrange(8) << 11 | exit_bit | rng.randrange(4) << 4 | 7
    word = rng.randrange(1 << 21) << 11 | exit_bit | rng.randrange(8) << 8 | rng.randrange(8) << 4 | kind
    if kind == 0:
        known = [0, 1, 2, 3, 8, 9, 10, 11, 12]
        number = rng.choice(known) if rng.random() < 0.98 else rng.randrange(32)
        word = word & 0x1ffff | number << 17
    if kind in (1, 5) and rng.random() < 0.5:
        word = word & 0x3fff | (rng.randrange(-4, 5) & 0x3ffff) << 14
    return word


def random_run(rng):
    size = rng.randrange(1, 24)
    run = {'words': [random_word(rng, i, size) for i in range(size)]}
    if rng.random() < 0.7 or size < 4:  # a few words that are letters are taken for a source
        run['words'] += [0x91, 0x11]
    value = lambda: rng.choice([0, 1, 2, 31, 32, 0x7fffffff, MASK, rng.randrange(1 << 32), rng.randrange(64)])
    run['param'] = [value() for _ in range(rng.randrange(9))]
    run['state'] = {rng.randrange(0x1000) * 4: value() for _ in range(rng.randrange(3))}
    run['policy'] = {name: rng.choice(CHOICES[name]) for name in CHOICES if rng.random() < 0.3}
    run['limit'] = rng.choice([3, 200, 200, 200])
    return run


def measured(gpucode, run, folder, name):
    path = os.path.join(folder, f'{name}.bin')
    with open(path, 'wb') as out:
        out.write(b''.join(word.to_bytes(4, 'little') for word in run['words']))
    command = [gpucode, 'run', '-t', 'mme:fermi', path, '--json', '--limit', str(run['limit'])]
    if run['param']:
        command += ['--param', ','.join(str(p) for p in run['param'])]
    for address, value in run['state'].items():
        command += ['--state', f'{address:#x}={value}']
    for policy in run['policy'].items():
        command += ['--policy', '='.join(policy)]
    done = subprocess.run(command, capture_output=True, text=True)
    os.unlink(path)
    if not done.stdout:
        return {'error': done.stderr, 'code': done.returncode}
    found = json.loads(done.stdout)
    good = found['end'] == 'exit' and not found['left']
    found.pop('target'), found.pop('pc')
    return found if done.returncode == (0 if good else 1) else {'code': done.returncode, **found}


def number(text):
    return text if isinstance(text, int) else int(text, 0) & MASK


def recorded():
    path = os.path.join(os.environ.get('GPUCODE_VECTORS', '/nonexistent'), 'mme', 'execution.jsonl')
    if not os.path.exists(path):
        print('no recorded runs')
        return
    with open(path) as lines:
        for line in lines:
            run = json.loads(line)
            yield {'words': [int(word, 16) for word in run['words']], 'param': [number(p) for p in run['param']],
                   'state': {int(k, 0): number(v) for k, v in run['state'].items()}, 'policy': run['policy'],
                   'limit': run.get('limit', 1000000), 'expect': run['expect'], 'name': run['name']}


def main():
    gpucode = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 9097)
    runs = list(recorded()) + [random_run(rng) for _ in range(count)]
    ends = {}
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda item: measured(gpucode, item[1], folder, item[0]), enumerate(runs))
        for run, found in zip(runs, results):
            model = Model(run['words'], run['param'], run['state'], run['policy'], run['limit']).run()
            ends[model['reason']] = ends.get(model['reason'], 0) + 1
            for expected in (model, run.get('expect', model)):
                expected = {key: value for key, value in expected.items() if key != 'pc'}
                if found != expected:
                    wrong += 1
                    print('differs:', json.dumps({k: v for k, v in run.items() if k != 'expect'}), '\n  found   ',
                          json.dumps(found), '\n  expected', json.dumps(expected))
    print(len(runs), 'runs', ends, wrong, 'wrong')
    sys.exit(wrong != 0)


main()
