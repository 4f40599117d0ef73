"""Random litmus tests in C whose threads have data, address and control dependencies, fences and updates."""

import random

PLACES = ("x", "y", "z")
LOADS = ("relaxed", "relaxed", "relaxed", "acquire", "seq_cst")
STORES = ("relaxed", "relaxed", "relaxed", "release", "seq_cst")
UPDATES = ("relaxed", "relaxed", "acquire", "release", "acq_rel", "seq_cst")
KINDS = ("load", "load", "load", "store", "store", "store", "fence", "update", "branch")
FENCES = ("acquire", "release", "acq_rel", "seq_cst", "relaxed")


def random_test(seed: int, *, events: int = 7, plain: bool = True, sc_fences: bool = True) -> str:
    """About so many events in two or three threads. In some tests each thread loads a place first, and stores to the
    next one's at last."""
    chance = random.Random(f"dependencies {seed}")
    threads = chance.choice((2, 2, 2, 3))
    places = PLACES[: chance.choice((2, 2, 2, 3))]
    texts, seen = [], []
    ring = chance.random() < 0.4
    for n in range(threads):
        most = max(1, events // threads + chance.choice((-1, 0, 0, 1)))
        kinds = [chance.choice(KINDS) for _ in range(most)]
        ends = (places[n % threads % len(places)], places[(n + 1) % threads % len(places)]) if ring else None
        if ring:
            kinds = ["load", *kinds[2:], "store"]
        lines, registers = _thread(chance, kinds, places, ends, plain, sc_fences)
        texts.append(f"P{n} ({', '.join(f'atomic_int* {p}' for p in PLACES)}) {{\n" + "\n".join(lines) + "\n}")
        seen += [f"{n}:{r};" for r in registers]
    watched = "".join([*seen, *(f"{place};" for place in PLACES)])
    return "\n".join([f"C random{seed}", "{ }", *texts, f"locations [{watched}]", "exists (true)"])


def _thread(
    chance: random.Random,
    kinds: list[str],
    places: tuple[str, ...],
    ends: tuple[str, str] | None,
    plain: bool,
    sc_fences: bool,
) -> tuple[list[str], list[str]]:
    lines: list[str] = []
    registers: list[str] = []
    open_blocks = 0

    def value() -> str:
        number = chance.choice((1, 2))
        if not registers or chance.random() < 0.4:
            return str(number)
        register = chance.choice(registers)
        return chance.choice((register, f"({register} ^ {register}) + {number}", f"({register} == 1 ? 1 : 2)"))

    def where() -> str:
        place = chance.choice(places)
        if ends is not None and number in (0, len(kinds) - 1):
            place = ends[number > 0]
        if registers and chance.random() < 0.2:
            register = chance.choice(registers)
            return f"({place} + ({register} ^ {register}))"
        return place

    def order(orders: tuple[str, ...]) -> str:
        return f"memory_order_{chance.choice(orders)}"

    declared: list[str] = []
    for number, what in enumerate(kinds):
        name = f"r{number}"
        if what == "branch" and registers:
            register = chance.choice(registers)
            test = chance.choice((f"{register} == 1", f"{register} != 2", f"{register} == {register}"))
            lines.append(f"  if ({test}) {{")
            open_blocks += 1
            what = chance.choice(("store", "store", "load"))
        if what == "load":
            declared.append(name)
            lines.append(f"  {name} = atomic_load_explicit({where()}, {order(LOADS)});")
            if plain and chance.random() < 0.2:
                lines[-1] = f"  {name} = *{chance.choice(places)};"
            registers.append(name)
        elif what == "store":
            lines.append(f"  atomic_store_explicit({where()}, {value()}, {order(STORES)});")
            if plain and chance.random() < 0.2:
                lines[-1] = f"  *{chance.choice(places)} = {value()};"
        elif what == "fence":
            kind = order(FENCES if sc_fences else FENCES[:3])
            lines.append(f"  atomic_thread_fence({kind});")
        elif what == "update":
            declared.append(name)
            kind = order(UPDATES)
            lines.append(
                f"  {name} = atomic_exchange_explicit({where()}, {value()}, {kind});"
                if chance.random() < 0.5
                else f"  {name} = atomic_fetch_add_explicit({where()}, 1, {kind});"
            )
            registers.append(name)
        if open_blocks and chance.random() < 0.4:
            lines.append("  }")
            open_blocks -= 1
            registers[:] = [r for r in registers if r in declared]
    lines += ["  }"] * open_blocks
    return [*(f"  int {name} = 0;" for name in declared), *lines], declared
