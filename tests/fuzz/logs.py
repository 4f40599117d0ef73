"""Logs and mappings that are damaged: some of every shape."""

LOGS = {
    "csv": (
        b"ts,core,kind,addr,val,mo\n1,0,ST,0x80,1,rel\n2,1,LD,0x80,1,acquire\n3,1,fence,,,sc\n4,0,cas,0x80,1->2,sc\n",
        b't;op;loc;read;write;ok;start;end\n0;"u";x;0;7;1;1.5;2\n1;"u";x;7;"a ""b""";no;2;\n1;w;"y\nz";;3;;4;5\n',
        b"2024-05-01 12:00:00,w\tx\t1\n",
    ),
    "json": (
        b'{"tid": 1, "op": "w", "m": {"a": "x"}, "v": 1, "t": [1, 2.5]}\n'
        b'{"v": 1, "m": {"a": "x"}, "tid": "b", "op": "r"}\n',
        b'[{"tid": "\\u00e9", "op": "st", "m": {"a": 7}, "v": null, "z": [{}]},\n{"tid": 0, "op": "f"}]\n',
    ),
    "lines": (
        b"core   0: 3 0x80000010 (0x0002b283) x5  0x1 mem 0x80001000\ncore   1: 3 0x8 (0x1) mem 0x80001000 0x01\n",
        b"77: cpu1 -> [x] := 5 end\n78: cpu0 <- [x] == 5\nnoise\n",
    ),
}
MAPPINGS = (
    b"[columns]\nthread = 'core'\nop = 'kind'\nlocation = 'addr'\nvalue = 'val'\n[ops]\nST = 'w:rel'\nPF = '-'\n",
    b"lines = ['w={time}: {thread} -> [{location}] := {value} {*}', 'r={_}: {thread} <- [{location}] == {value}']\n"
    b"others = true\nvalues = 'hex'\nmissing = ['-']\n[init]\nx = 7\n",
    b"shape = 'json'\nsort = true\n[columns]\nthread = 'tid'\nop = 'op'\nlocation = 'm.a'\nvalue = 'v'\ntime = 't'\n",
    b"separator = ';'\nheader = true\nskip = 0\n[columns]\nthread = 1\nop = 2\nlocation = 3\nread = 4\nwrite = 5\n",
)
