# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which way a content went, by the words of strace.

What moved is summed up per call, and only the calls that name one end of the transfer count. So
"it was spliced" is proven twice: every byte that reached the end went by splice, and none went
by anything else.
"""
import re

from session import descendants, end_all, need

# every call that can move a payload
CALLS = ('read,write,pread64,pwrite64,readv,writev,preadv,pwritev,preadv2,pwritev2,recvfrom,'
         'recvmsg,sendto,sendmsg,splice,vmsplice,tee,sendfile,copy_file_range')

# which of several calls that do the same it is depends on the kernel
WAYS = {'pread64': 'read', 'preadv2': 'read', 'pwritev2': 'write', 'sendto': 'send',
        'recvfrom': 'receive'}

_CALL = re.compile(r'^(\w+)\((.*)\) = (\d+|0x[0-9a-f]+)$')
_PID = re.compile(r'^(\d+) +(.*)$')
_RESUMED = re.compile(r'^<\.\.\. \w+ resumed>')


class Trace:
    """What strace has written about a run; wrapper() is what the run starts with.

    @options: of strace, such as faults to inject.
    """

    def __init__(self, session, *options, calls=CALLS):
        self.options = ['-e', f'trace={calls}', *options]
        self.path = session.folder / f'trace-{len(list(session.folder.glob("trace-*")))}'
        # a process that is traced cannot look for its leaks
        self.env = {'ASAN_OPTIONS': session.env.get('ASAN_OPTIONS', '') + ':detect_leaks=0'}

    def wrapper(self):
        return [need('strace'), '-f', '--seccomp-bpf', '-y', '-s', '0', '-o', self.path,
                *self.options]

    @staticmethod
    def end(process):
        """Ends what strace runs, and so strace: the trace is whole then."""
        end_all(descendants(process.pid))
        process.wait(20)

    def calls(self):
        """(call, arguments, result) of every call that succeeded, in the order of their ends."""
        begun = {}
        for line in self.path.read_text(errors='replace').splitlines():
            pid, words = _PID.match(line).groups()
            if words.endswith('<unfinished ...>'):
                begun[pid] = words.removesuffix('<unfinished ...>').rstrip()
                continue
            words = _RESUMED.sub(lambda _, pid=pid: begun.pop(pid, ''), words)
            match = _CALL.match(re.sub(r'\s+= ', ' = ', words))
            if match:
                yield match[1], match[2], int(match[3], 0)

    def moved(self, *names):
        """{way: bytes}, of the calls that name one of the ends, or a file in a folder (.../)."""
        sums = {}
        for call, arguments, count in self.calls():
            if (count and call != 'mmap' and _names(arguments, names) and
                    not (count == 1 and _is_question(call, arguments))):
                way = WAYS.get(call, call)
                sums[way] = sums.get(way, 0) + count
        return sums

    def mapped(self, name):
        """How many bytes of such a file were mapped to be shared; trace mmap for it."""
        return sum(int(arguments.split(', ')[1]) for call, arguments, _ in self.calls()
                   if call == 'mmap' and 'MAP_SHARED' in arguments and _names(arguments, [name]))


def _names(arguments, names):
    return any(f'<{name}{end}' in arguments for name in names
               for end in ([''] if name.endswith('/') else '><'))


def _is_question(call, arguments):
    """Whether the page cache is asked for bytes of a file, as opposed to read from where the
    descriptor stands."""
    return call == 'preadv2' and ', 1, -1, ' not in arguments
