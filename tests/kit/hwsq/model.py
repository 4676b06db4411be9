#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scripts at random: `gpucode run --json` and a model of the sequencer that shares nothing with it must agree.

usage: model.py GPUCODE [RUNS [SEED]]

The model is of bytes, variants and policies as docs/hwsq.md and the manual describe them. With one head's blank at most
it also tries all phases of the blank, and the worst of them must be the worst case that `run` tells as exact.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

VARIANTS = {'nv17': 0x40, 'nv41': 0x80, 'nv50': 0x100, 'nv92': 0x200}
PRESETS = {'events': 'satisfied', 'pause-latency': 0, 'release-latency': 0, 'memory-poke': 'paused', 'tick-phase': 0,
           'opcode-clocks': 0, 'poke-clocks': 0, 'run-off': 'stop', 'fill': 'exit', 'illegal-ip': 'after',
           'ewait-reserved': 'masked', 'self-poke': 'acts', 'set-direction': 'notes', 'unset-value': 'keep', 'enable': 1,
           'start': 'a', 'slot-order': 'alternate', 'addr-data': 'keep', 'start-running': 'restart',
           'other-slot': 'runs', 'nv92-windows': 'both', 'entry': 0, 'entry-points': '0'}
CHOICES = {'events': ['satisfied', 'modelled'], 'pause-latency': [0, 1, 40, 100], 'release-latency': [0, 1, 50, 130],
           'memory-poke': ['paused', 'asked', 'never'], 'tick-phase': [0, 1], 'opcode-clocks': [0, 1, 7],
           'poke-clocks': [0, 1, 9], 'run-off': ['stop', 'wrap'], 'fill': ['exit', 'nop'], 'illegal-ip': ['after', 'at'],
           'ewait-reserved': ['masked', 'illegal'], 'self-poke': ['acts', 'ignored'],
           'set-direction': ['notes', 'swapped'], 'unset-value': ['keep', 'clear'], 'enable': [1, 1, 0],
           'slot-order': ['alternate', 'complete'], 'addr-data': ['keep', 'clear'],
           'start-running': ['restart', 'ignore'], 'other-slot': ['runs', 'waits'],
           'nv92-windows': ['both', 'old', 'new'], 'start': ['a', 'b', 'both'], 'entry': [0, 1, 2, 3]}
BLANKS = {1: 'head0-vblank', 2: 'head0-hblank', 3: 'head1-vblank', 4: 'head1-hblank'}
LENGTHS = {0x40: 3, 0x42: 3, 0x5f: 3, 0xe0: 5, 0xe2: 5}


class Stop(Exception):
    pass


class Slot:
    def __init__(self):
        self.ip, self.running, self.illegal, self.addr, self.data = 0, False, False, 0, 0


class Model:
    def __init__(self, run, phase=None):
        self.variant, self.size = run['variant'], VARIANTS[run['variant']]
        self.policy = dict(PRESETS, **run['policy'])
        self.two = self.variant != 'nv92'
        self.late = self.variant != 'nv17'
        self.hangs = self.variant in ('nv41', 'nv50')
        fill = 0x7f if self.policy['fill'] == 'exit' else 0
        self.code = bytearray(run['code']) + bytearray([fill] * (self.size - len(run['code'])))
        self.limit, self.edges, self.waves = run['limit'], run['edges'], dict(run['waves'])
        if phase is not None:
            self.waves = {event: (wave[0], wave[1], phase) for event, wave in self.waves.items()}
        self.slots = [Slot(), Slot()]
        self.slot = self.slots[0]
        self.values, self.forced, self.enabled = [0] * 32, [False] * 32, bool(self.policy['enable'])
        self.entries = [int(text, 0) for text in str(self.policy['entry-points']).split(',')]
        self.entries += [0] * (4 - len(self.entries))
        self.time, self.pause_time, self.paused_before = 0, 0, False
        self.paused_clocks = self.writes = self.units = self.waits = self.wait_clocks = self.count = 0
        self.actions, self.pending = [], None

    # events

    def asked(self):
        return self.late and self.forced[16] and self.values[16] == 1

    def completed(self, time):
        latency = self.policy['pause-latency'] if self.asked() else self.policy['release-latency']
        return self.asked() if time >= self.pause_time + latency else self.paused_before

    def event(self, number, time):
        """Its value; None: nothing describes it."""
        value = None
        if any(edge[1] == number for edge in self.edges):
            past = [edge for edge in self.edges if edge[1] == number and edge[0] <= time]
            return max(past)[2] if past else 0
        if number in self.waves:
            period, length, phase = self.waves[number]
            return int((time + phase) % period < length)
        if number == 0 and (self.policy['pause-latency'] or self.policy['release-latency'] or
                            self.policy['events'] == 'modelled'):
            return int(self.completed(time))
        return 0 if self.policy['events'] == 'modelled' else value

    def times(self):
        """All times from now on at which an event may change."""
        result = {edge[0] for edge in self.edges} | {self.time}
        result |= {self.pause_time + self.policy[name] for name in ('pause-latency', 'release-latency')}
        for period, length, phase in self.waves.values():
            begin = self.time - (self.time + phase) % period
            result |= {begin + k * period + shift for k in range(3) for shift in (0, length)}
        last = max(result)
        for period, length, phase in self.waves.values():
            begin = last - (last + phase) % period
            result |= {begin + k * period + shift for k in range(2) for shift in (0, length)}
        return sorted(time for time in result if time >= self.time)

    def ewait(self, number, value):
        for time in self.times():
            if self.event(number, time) in (value, None):
                if time > self.time:
                    self.actions[-1]['lasted_clocks'] = time - self.time
                self.wait_clocks += time - self.time
                self.time = time
                return
        raise Stop('hwsq-event-never')

    # what an opcode does

    def set_flag(self, number, forced, value):
        before, was = self.asked(), self.completed(self.time)
        self.forced[number], self.values[number] = forced, value
        if before != self.asked():
            if before:
                self.paused_clocks += self.time - self.pause_time
            self.pause_time, self.paused_before = self.time, was

    def start(self, slot, entry):
        if slot.running and self.policy['start-running'] == 'ignore':
            return
        slot.ip, slot.running, slot.illegal = self.entries[entry], True, False
        if self.policy['addr-data'] == 'clear':
            slot.addr = slot.data = 0

    def blocked(self, address):
        """Why a write does not get through as things stand; 'later': memory is about to go on."""
        how, asked = self.policy['memory-poke'], self.asked()
        if not self.enabled:
            return 'hwsq-disabled'
        if 0x700000 <= address <= 0x7fffff and how != 'never':
            if asked and (how == 'asked' or self.completed(self.time)):
                return 'hwsq-memory-paused'
            if not asked and self.completed(self.time):
                return 'later'
        return None

    def poke(self, address, value):
        why = self.blocked(address)
        if why == 'later':
            self.time = self.pause_time + self.policy['release-latency']
        elif why:
            raise Stop(why)
        self.writes += 1
        self.act('write', address, value)
        if self.policy['self-poke'] == 'acts':
            self.own(address, value)
        self.time += self.policy['poke-clocks']

    def own(self, address, value):
        windows = self.policy['nv92-windows'] if self.variant == 'nv92' else 'old'
        place = None
        if 0x1400 <= address < 0x1400 + min(self.size, 0x100) and windows != 'new':
            place = address - 0x1400
        elif 0x80000 <= address < 0x80200 and self.variant == 'nv92' and windows != 'old':
            place = address - 0x80000
        if place is not None:
            self.code[place:place + 4] = value.to_bytes(4, 'little')
        elif address == 0x1098:
            self.enabled = bool(value & 8)
        elif address in (0x1310, 0x1314):
            for i in range(16):
                self.set_flag(i + (16 if address == 0x1314 else 0), bool(value >> 16 + i & 1), value >> i & 1)
        elif address == 0x1304:
            self.entries = [(entry & ~0xff) | (value >> 8 * i & 0xff) for i, entry in enumerate(self.entries)]
        elif address == 0x1318 and self.variant == 'nv92':
            self.entries = [(entry & 0xff) | (value >> 8 * i & 1) << 8 for i, entry in enumerate(self.entries)]
        elif address == 0x130c:
            slot = self.slots[0 if value & 2 or not self.two else 1]
            if value & 1:
                self.start(slot, value >> 2 & 3)
            else:
                slot.running = slot.illegal = False

    def pass_time(self, clocks):
        self.time += clocks

    def act(self, action, number, value):
        found = {'action': action, 'time_clocks': self.time, 'pc': self.at, 'number': number, 'value': value}
        if self.two:
            found['slot'] = 'AB'[self.slots.index(self.slot)]
        self.actions.append(found)

    def wrong(self, opcode, length):
        self.slot.illegal = True
        self.slot.ip = self.at if self.policy['illegal-ip'] == 'at' else self.at + length
        if self.policy['run-off'] == 'wrap':
            self.slot.ip %= self.size
        self.act('illegal', opcode, opcode)

    def step(self):
        slot = self.slot
        if self.policy['run-off'] == 'wrap':
            slot.ip %= self.size
        self.at = slot.ip
        opcode = self.code[slot.ip] if slot.ip < self.size else None
        length = LENGTHS.get(opcode, 1) if self.late else 1
        if opcode is None or slot.ip + length > self.size and self.policy['run-off'] == 'stop':
            raise Stop('hwsq-run-off')
        args = [self.code[(slot.ip + i) % self.size] for i in range(1, length)]
        slot.ip += length
        if self.policy['run-off'] == 'wrap':
            slot.ip %= self.size
        self.count += 1
        self.time += self.policy['opcode-clocks']
        number = int.from_bytes(bytes(args), 'little')
        flag = opcode & 31
        if opcode < 0x40:
            units = (opcode & 3) << 2 * (opcode >> 2)
            self.act('wait', 0, units)
            self.units += units
            if units:
                self.pending = lambda: self.pass_time(32 * units + self.policy['tick-phase'])
        elif opcode == 0x7f:
            slot.ip, slot.running = self.at, False
            self.act('exit', 1, 0)
        elif 0x80 <= opcode < 0xa0:
            self.set_flag(flag, False, self.values[flag] if self.policy['unset-value'] == 'keep' else 0)
            self.act('flag', flag, 0)
        elif 0xa0 <= opcode < 0xe0:
            one = (opcode < 0xc0) == (self.policy['set-direction'] == 'notes')
            self.set_flag(flag, True, int(one))
            self.act('flag', flag, 2 + one)
        elif length == 1:
            if self.hangs:
                self.wrong(opcode, 1)
        elif opcode == 0x5f:
            if self.policy['ewait-reserved'] == 'illegal' and (args[0] > 31 or args[1] > 1):
                self.wrong(opcode, 3)
                return
            self.act('ewait', args[0] & 31, args[1] & 1)
            self.waits += 1
            self.pending = lambda: self.ewait(args[0] & 31, args[1] & 1)
        elif opcode in (0xe2, 0x42):
            slot.data = number if opcode == 0xe2 else (slot.data & ~0xffff) | number
        else:
            slot.addr = number if opcode == 0xe0 else (slot.addr & ~0xffff) | number
            if self.blocked(slot.addr):
                self.pending = lambda: self.poke(slot.addr, slot.data)
            else:
                self.poke(slot.addr, slot.data)

    def choose(self, turn):
        ready = [slot.running and not slot.illegal for slot in self.slots]
        hung = [slot for slot in self.slots if slot.running and slot.illegal]
        if hung and (self.policy['other-slot'] == 'waits' or not any(ready)):
            self.slot = hung[0]   # which the stop names, whichever ran last
            raise Stop('hwsq-hang')
        if not any(ready):
            raise Stop('hwsq-end')
        return turn if ready[turn] else 1 - turn

    def run(self):
        which = self.policy['start']
        for i, name in enumerate('ab'):
            if which in (name, 'both') and (self.two or not i):
                self.start(self.slots[i], self.policy['entry'])
        turn = 0
        try:
            while True:
                if self.count == self.limit:
                    if not self.pending:
                        self.slot = self.slots[self.choose(turn)]
                    raise Stop('limit')
                if self.pending:  # what takes time holds the unit until the next opcode is due
                    pending, self.pending = self.pending, None
                    pending()
                turn = self.choose(turn)
                self.slot = self.slots[turn]
                self.step()
                if self.policy['slot-order'] == 'alternate':
                    turn = 1 - turn
        except Stop as stop:
            reason = stop.args[0]
        if self.asked():
            self.paused_clocks += self.time - self.pause_time
        self.time = min(self.time, (1 << 64) - 1)
        return self.actions, {'stop': reason, 'pc': self.slot.ip, 'instructions': self.count,
                              'total_clocks': self.time, 'register_writes': self.writes, 'wait_units': self.units,
                              'event_waits': self.waits, 'event_clocks': self.wait_clocks,
                              'paused_clocks': self.paused_clocks, 'paused': self.asked()}


# --- at random ---

def random_opcode(rng, variant):
    kind = rng.randrange(100)
    if kind < 25:
        return bytes([rng.randrange(16) if rng.random() < 0.95 else rng.randrange(64)])
    if kind < 45:
        flag = rng.choice([16, 16, 16, rng.randrange(32)])
        return bytes([rng.choice([0x80, 0xa0, 0xa0, 0xc0, 0xc0]) + flag])
    if kind < 63:
        event = rng.choice([0, 0, 1, 2, 3, 4, 5, rng.randrange(32)])
        reserved = rng.random() < 0.03
        return bytes([0x5f, event | (rng.randrange(8) << 5 if reserved else 0),
                      rng.randrange(2) | (rng.randrange(128) << 1 if reserved else 0)])
    if kind < 76:
        wide = rng.random() < 0.6
        value = rng.choice([0, 1, 3, 5, 8, 0x18, 0x10001, 0x30003, 0x7f7f7f7f, 0xa0c05f00, rng.randrange(1 << 32)])
        return bytes([0xe2]) + value.to_bytes(4, 'little') if wide else bytes([0x42]) + (value & 0xffff).to_bytes(2, 'little')
    if kind < 92:
        own = [0x1310, 0x1314, 0x1304, 0x130c, 0x1318, 0x1098, 0x1400 + 4 * rng.randrange(0x80),
               0x80000 + 4 * rng.randrange(0x90)]
        address = rng.choice([0x100210, 0x700000, 0x6ffffc, 0x7ffffc, 0x800000, 4 * rng.randrange(1 << 20)] + own)
        return (bytes([0xe0]) + address.to_bytes(4, 'little') if rng.random() < 0.7
                else bytes([0x40]) + (address & 0xfffc).to_bytes(2, 'little'))
    if kind < 95:
        return bytes([0x7f])
    return bytes([rng.randrange(256)])


def random_run(rng):
    variant = rng.choice(['nv17', 'nv41', 'nv50', 'nv92', 'nv92'])
    size = VARIANTS[variant]
    code = b''
    room = rng.choice([12, 40, 40, size])
    while len(code) < min(room, size):
        code += random_opcode(rng, variant)
    code = code[:size]
    policy = {name: rng.choice(CHOICES[name]) for name in CHOICES if rng.random() < 0.12}
    if variant == 'nv92' or rng.random() < 0.5:
        policy.pop('start', None)
    if variant not in ('nv41', 'nv50'):
        policy.pop('ewait-reserved', None)
    if variant != 'nv92':
        policy.pop('nv92-windows', None)
    if 'entry' in policy or rng.random() < 0.1:
        policy['entry-points'] = ','.join(str(rng.randrange(min(len(code), 256))) for _ in range(4))
    waves = {}
    for event in BLANKS:
        if rng.random() < 0.15:
            period = rng.choice([10, 100, 333, rng.randrange(2, 2000)])
            waves[event] = (period, rng.randrange(1, period), rng.randrange(period))
    edges = []
    if rng.random() < 0.2:
        taken = set()
        for _ in range(rng.randrange(1, 6)):
            edge = (rng.choice([0, 32, rng.randrange(3000)]), rng.choice([5, 5, 6, 31]), rng.randrange(2))
            if edge[:2] not in taken:
                taken.add(edge[:2])
                edges.append(edge)
    return {'variant': variant, 'code': code, 'policy': policy, 'waves': waves, 'edges': edges,
            'limit': rng.choice([5, 300, 300])}


def command_of(gpucode, run, path):
    command = [gpucode, 'run', '-t', 'hwsq:' + run['variant'], path, '--json', '--trace=actions',
               '--limit', str(run['limit'])]
    policy = dict(run['policy'])
    for event, wave in run['waves'].items():
        policy[BLANKS[event]] = '/'.join(map(str, wave))
    if run['edges']:
        policy['schedule'] = ','.join(f'{time}:{event}={value}' for time, event, value in sorted(run['edges']))
    for name, value in policy.items():
        command += ['--policy', f'hwsq-{name}={value}']
    return command


def measured(gpucode, run, folder, name):
    path = os.path.join(folder, f'{name}.bin')
    with open(path, 'wb') as out:
        out.write(run['code'])
    command = command_of(gpucode, run, path)
    done = subprocess.run(command, capture_output=True, text=True)
    os.unlink(path)
    actions, last, worst = [], {'error': done.stderr, 'code': done.returncode}, None
    for line in done.stdout.splitlines():
        found = json.loads(line)
        if 'action' in found:
            found.pop('text'), found.pop('position')
            actions.append(found)
        elif 'stop' in found:
            if found.get('worst_exact'):
                worst = found['worst_total_clocks'], found['worst_paused_clocks']
            last = {key: value for key, value in found.items() if key in RESULT}
            if done.returncode != (found['stop'] != 'hwsq-end'):
                last['code'] = done.returncode
    return actions, last, worst, command


RESULT = ['stop', 'pc', 'instructions', 'total_clocks', 'register_writes', 'wait_units', 'event_waits', 'event_clocks',
          'paused_clocks', 'paused']


def worst_of(run):
    """Over all phases of the one blank; null: a phase in which the script does not end."""
    results = [Model(run, phase).run()[1] for phase in range(next(iter(run['waves'].values()))[0])]
    if any(result['stop'] != 'hwsq-end' for result in results):
        return None
    return max(result['total_clocks'] for result in results), max(result['paused_clocks'] for result in results)


def main():
    gpucode = sys.argv[1]
    long = bool(os.environ.get('GPUCODE_LONG_TESTS'))
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 4000 if long else 400
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32) if long else 4177
    rng = random.Random(seed)
    runs = [random_run(rng) for _ in range(count)]
    ends, wrong, worst_cases = {}, 0, 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda item: measured(gpucode, item[1], folder, item[0]), enumerate(runs))
        for run, (actions, last, worst, command) in zip(runs, results):
            expected_actions, expected = Model(run).run()
            ends[expected['stop']] = ends.get(expected['stop'], 0) + 1
            differences = [pair for pair in zip(actions, expected_actions) if pair[0] != pair[1]]
            if last != expected or differences or len(actions) != len(expected_actions):
                wrong += 1
                print('differs:', run['code'].hex(), ' '.join(command[1:]), '\n  found   ', last, '\n  expected',
                      expected, '\n ', len(actions), len(expected_actions), differences[:1])
            if worst and len(run['waves']) == 1 and not run['edges']:
                expected_worst = worst_of(run)
                worst_cases += 1
                if expected_worst and worst != expected_worst:
                    wrong += 1
                    print('worst case differs:', run['code'].hex(), ' '.join(command[1:]), worst, expected_worst)
    print(f'seed {seed}: {len(runs)} runs {ends}, {worst_cases} worst cases, {wrong} wrong')
    sys.exit(wrong != 0 or not worst_cases or len(ends) < 5)


main()
