"""filesystem: threads allocate blocks of a small file system, a lock for each inode and for each block.

2^(T - 13) executions for T = 14 … 26 threads.
"""

import porf
from porf.programs.python import acquire, join, release

BLOCKS = 26
INODES = 32


def filesystem(t: int = 16) -> porf.ProgramBuilder:
    p = porf.program(f"filesystem({t})")
    inode_lock = p.mutexes("inode_lock", INODES)
    block_lock = p.mutexes("block_lock", BLOCKS)
    inode = p.array("inode", INODES)
    busy = p.array("busy", BLOCKS)

    @p.thread(args=range(t))
    def allocate(number: int) -> None:
        i = number % INODES
        with inode_lock[i]:
            if inode[i].load(acquire) == 0:
                b = 2 * i % BLOCKS
                for _ in range(10):
                    with block_lock[b]:
                        if busy[b].load(acquire) == 0:
                            busy[b].store(1, release)
                            inode[i].store(b + 1, release)
                            break
                    b = (b + 1) % BLOCKS

    @p.thread
    def main() -> None:
        join(allocate)

    return p
