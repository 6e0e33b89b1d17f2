"""The part of NumPy that Karma at a table needs, in plain Python 3.12 or newer.

Only `test_play_page.py` uses it, on machines that cannot download NumPy for WebAssembly. The published page loads NumPy.
"""

import builtins
import functools
import itertools
import math
import operator
import struct
import sys
import types

inf, nan = math.inf, math.nan
CODES = {"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H"}
CODES |= {"uint32": "I", "uint64": "Q", "float32": "f", "float64": "d"}


class generic:
    def __new__(cls, value=0):
        return array(value, cls).item()


class number(generic): ...


class integer(number): ...


class floating(number): ...


class bool_(generic): ...


class void(generic): ...


class timedelta64(generic): ...


KINDS = {"?": bool_, "f": floating, "d": floating}
SCALARS = {name: type(name, (KINDS.get(code, integer),), {}) for name, code in CODES.items() if name != "bool"}
globals().update(SCALARS)
SCALARS["bool"] = bool_
ALIASES = {builtins.bool: "bool", int: "int64", float: "float64", None: "float64"}


class dtype:
    """A number, a record of named fields, or a number or record with a shape."""

    def __new__(cls, kind, align=False):
        return kind if isinstance(kind, dtype) else super().__new__(cls)

    def __init__(self, kind, align=False):
        if kind is self:
            return
        self.shape, self.names, self.fields, self.base = (), None, None, self
        if isinstance(kind, list):
            self._of_record(kind, align)
        elif isinstance(kind, tuple):
            self.base, self.shape = dtype(kind[0]), kind[1] if isinstance(kind[1], tuple) else (kind[1],)
            self.names, self.fields, self.kind, self.name = self.base.names, self.base.fields, "V", "void"
            self.alignment, self.itemsize = self.base.alignment, self.base.itemsize * math.prod(self.shape)
            self.code = None
        else:
            names = {scalar: name for name, scalar in SCALARS.items()} | ALIASES
            self.name = names[kind] if kind in names else f"int{8 * int(kind[1:])}" if kind[1:].isdigit() else kind
            self.code, self.type = CODES[self.name], SCALARS[self.name]
            self.kind = self.name[0].replace("b", "b")
            self.itemsize = self.alignment = struct.calcsize(self.code)

    def _of_record(self, parts, align):
        self.fields, at, widest = {}, 0, 1
        for name, *kind in parts:
            part = dtype(tuple(kind)) if len(kind) > 1 and kind[1] not in ((), 1) else dtype(kind[0])
            widest = max(widest, part.alignment) if align else 1
            at += -at % part.alignment if align else 0
            self.fields[name] = part, at
            at += part.itemsize
        self.names, self.itemsize, self.alignment = tuple(self.fields), at + -at % widest, widest
        self.name, self.kind, self.code = "void", "V", None

    def __getitem__(self, name):
        return self.fields[name][0]

    def _key(self):
        return self.name, self.shape, self.base is not self and self.base._key(), tuple((self.fields or {}).items())

    def __eq__(self, other):
        return self is other or isinstance(other, dtype) and self._key() == other._key()

    @functools.cached_property
    def _hash(self):
        return hash(self._key())

    def __hash__(self):
        return self._hash


class ndarray:
    """An array that is a view of bytes."""

    flags = types.SimpleNamespace(carray=True, writeable=True)

    def __init__(self, memory, kind, shape, strides=None, offset=0):
        self.memory, self.dtype, self.shape, self.offset = memory, kind, tuple(shape), offset
        if strides is None:
            steps = itertools.accumulate(reversed(self.shape[1:]), operator.mul, initial=kind.itemsize)
            strides = tuple(reversed([*steps]))[: len(self.shape)]
        self.strides = strides

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: math.prod(self.shape))

    def _places(self):
        places = [self.offset]
        for length, stride in zip(self.shape, self.strides, strict=True):
            places = [place + i * stride for place in places for i in range(length)]
        return places

    def _values(self):
        kind = self.dtype
        if kind.names:
            return [ndarray(self.memory, kind, (), (), place) for place in self._places()]
        read = struct.Struct(kind.code).unpack_from
        return [read(self.memory, place)[0] for place in self._places()]

    def _fill(self, values):
        write = None if self.dtype.names else struct.Struct(self.dtype.code).pack_into
        for place, value in zip(self._places(), values, strict=True):
            if write is None:
                self.memory[place : place + self.dtype.itemsize] = value.tobytes()
            else:
                write(self.memory, place, value if self.dtype.kind == "f" else int(value))

    def __buffer__(self, flags):
        whole = memoryview(self.memory)[self.offset : self.offset + self.size * self.dtype.itemsize]
        return whole.cast(self.dtype.code, self.shape) if self.size else whole.cast(self.dtype.code)

    def tobytes(self):
        parts = [bytes(self.memory[place : place + self.dtype.itemsize]) for place in self._places()]
        return b"".join(parts)

    def _plain(self, key):
        """The view that a name, or numbers and slices, select."""
        if isinstance(key, str):
            part, at = self.dtype.fields[key]
            base, place = part.base, self.offset + at
            if not part.shape:
                return ndarray(self.memory, base, self.shape, self.strides, place)
            inner = ndarray(self.memory, base, part.shape)
            return ndarray(self.memory, base, self.shape + inner.shape, self.strides + inner.strides, place)
        shape, strides, offset, axis = [], [], self.offset, 0
        for part in key:
            if part is None:
                shape, strides = [*shape, 1], [*strides, 0]
                continue
            length, stride = self.shape[axis], self.strides[axis]
            axis += 1
            if isinstance(part, slice):
                first, last, step = part.indices(length)
                shape, strides = [*shape, len(range(first, last, step))], [*strides, stride * step]
                offset += first * stride
            else:
                i = operator.index(part)
                if not -length <= i < length:
                    raise IndexError(f"{i} of {length}")
                offset += (i % length) * stride
        return ndarray(self.memory, self.dtype, [*shape, *self.shape[axis:]], (*strides, *self.strides[axis:]), offset)

    def _selected(self, key):
        """The views that a key with arrays selects, and for each its place in the result; or one view and None."""
        if isinstance(key, str):
            return [self._plain(key)], None, ()
        key = key if isinstance(key, tuple) else (key,)
        if Ellipsis in [part for part in key if not isinstance(part, ndarray)]:
            i = [part is Ellipsis for part in key].index(True)
            some = self.ndim - sum(part is not None for part in key) + 1
            key = (*key[:i], *[slice(None)] * some, *key[i + 1 :])
        key = [array(part) if isinstance(part, list) else part for part in key]
        if not any(isinstance(part, ndarray) and part.shape for part in key):
            return [self._plain(key)], None, ()
        parts = []
        for part in key:
            parts += nonzero(part) if isinstance(part, ndarray) and part.dtype.kind == "b" else [part]
        shape = broadcast_shape(*[part.shape for part in parts if isinstance(part, ndarray)])
        spread = [
            _spread(part, shape)._values() if isinstance(part, ndarray) else [part] * math.prod(shape) for part in parts
        ]
        first = [isinstance(part, ndarray) for part in parts].index(True)
        lead = tuple(slice(None) for part in parts[:first] if isinstance(part, slice))
        views = [self._plain(one) for one in zip(*spread, strict=True)]
        inner = (
            self._plain([0 if isinstance(part, ndarray) else part for part in parts]).shape
            if 0 not in self.shape
            else ()
        )
        places = [(*lead, *at) for at in itertools.product(*map(range, shape))]
        return views, places, (*inner[: len(lead)], *shape, *inner[len(lead) :])

    def __getitem__(self, key):
        views, places, shape = ([self._plain(key)], None, ()) if isinstance(key, str) else self._selected(key)
        if places is None:
            return views[0] if views[0].shape or views[0].dtype.names else views[0].item()
        made = empty(shape, self.dtype)
        for view, place in zip(views, places, strict=True):
            made._plain(place)._fill(view._values())
        return made

    def __setitem__(self, key, value):
        views, places, shape = self._selected(key)
        whole = _spread(value, views[0].shape if places is None else shape)
        for view, place in zip(views, places or [()], strict=True):
            view._fill(whole._plain(place)._values())

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def item(self):
        (value,) = self._values()
        return value

    __bool__ = lambda self: builtins.bool(self.item())  # noqa: E731
    __int__ = __index__ = lambda self: int(self.item())  # noqa: E731
    __float__ = lambda self: float(self.item())  # noqa: E731

    def tolist(self):
        return [part.tolist() if isinstance(part, ndarray) else part for part in self] if self.shape else self.item()

    def astype(self, kind):
        kind = dtype(kind)
        return _made(self._values() if kind.kind == "f" else map(int, self._values()), kind, self.shape)

    def copy(self):
        made = empty(self.shape, self.dtype)
        made._fill(self._values())
        return made

    def view(self, kind):
        shape = (*self.shape[:-1], self.shape[-1] * self.dtype.itemsize // kind.itemsize)
        return ndarray(self.memory, kind, shape, None, self.offset)

    def take(self, rows):
        return self[asarray(rows)]

    def repeat(self, n):
        return repeat(self, n)

    def reshape(self, *shape):
        shape = shape[0] if isinstance(shape[0], tuple) else shape
        known = -math.prod(shape)
        shape = [self.size // known if part == -1 else part for part in shape]
        return ndarray(self.memory, self.dtype, shape, None, self.offset)

    def _folded(self, fold, axis):
        if axis is None:
            return fold(self._values())
        columns = [self[(*[slice(None)] * axis, i)] for i in range(self.shape[axis])]
        rest = [self.shape[i] for i in range(self.ndim) if i != axis % self.ndim]
        return array([fold(part) for part in zip(*[column._values() for column in columns], strict=True)]).reshape(
            *rest
        )

    def sum(self, axis=None):
        return self._folded(builtins.sum, axis)

    def any(self, axis=None):
        return self._folded(builtins.any, axis)

    def all(self, axis=None):
        return self._folded(builtins.all, axis)

    def max(self, axis=None, initial=-inf):
        return self._folded(lambda values: builtins.max([*values, initial]), axis)

    def min(self, axis=None):
        return self._folded(builtins.min, axis)

    def argmax(self):
        values = self._values()
        return values.index(builtins.max(values))


def _operation(function):
    def apply(one, other):
        pair = [part if isinstance(part, ndarray) else array(part) for part in (one, other)]
        shape = broadcast_shape(*[part.shape for part in pair])
        values = [function(a, b) for a, b in zip(*[_spread(part, shape)._values() for part in pair], strict=True)]
        return _made(values, None, shape)

    return apply


for name in "eq ne lt le gt ge add sub mul truediv floordiv mod and or xor lshift rshift pow".split():
    function = getattr(operator, f"{name}_" if name in ("and", "or") else name)
    setattr(ndarray, f"__{name}__", _operation(function))
    setattr(ndarray, f"__r{name}__", _operation(lambda a, b, function=function: function(b, a)))
ndarray.__hash__ = None
ndarray.__invert__ = lambda self: _made([not v if v in (True, False) else ~v for v in self._values()], None, self.shape)
ndarray.__neg__ = lambda self: 0 - self
ndarray.__abs__ = lambda self: _made([abs(v) for v in self._values()], None, self.shape)
maximum, minimum = _operation(builtins.max), _operation(builtins.min)


def _spread(part, shape):
    """A view of an array that is repeated to a larger shape."""
    part = part if isinstance(part, ndarray) else array(part)
    lengths = (1,) * (len(shape) - part.ndim) + part.shape
    strides = (0,) * (len(shape) - part.ndim) + part.strides
    steps = [0 if length == 1 else stride for length, stride in zip(lengths, strides, strict=True)]
    return ndarray(part.memory, part.dtype, shape, tuple(steps), part.offset)


def broadcast_shape(*shapes):
    most = builtins.max(map(len, shapes))
    return tuple(
        next((n for n in lengths if n != 1), 1) for lengths in zip(*[(1,) * (most - len(s)) + s for s in shapes])
    )


def _made(values, kind, shape):
    values = list(values)
    if kind is None:
        kinds = {type(value) for value in values}
        kind = float if float in kinds or not kinds else int if int in kinds else builtins.bool
    made = empty(shape, kind)
    made._fill(values)
    return made


def empty(shape, kind=float):
    kind, shape = dtype(kind), shape if isinstance(shape, tuple) else (shape,)
    return ndarray(memoryview(bytearray(kind.itemsize * math.prod(shape))), kind, shape)


zeros = empty


def full(shape, value, kind=None):
    made = empty(shape, kind or type(value))
    made[(slice(None),) * made.ndim] = value
    return made


def ones(shape, kind=float):
    return full(shape, 1, kind)


def array(value, kind=None):
    if isinstance(value, ndarray):
        return value.copy() if kind is None else value.astype(kind)
    if not isinstance(value, (list, tuple, range)):
        return _made([value], kind, ())
    if kind is not None and dtype(kind).names:
        made = empty(len(value), kind)
        for name, column in zip(made.dtype.names, zip(*value, strict=True), strict=True):
            made[name] = list(column)
        return made
    parts = [array(part) for part in value]
    inner = parts[0].shape if parts else ()
    if parts and kind is None and parts[0].dtype.names:
        kind = parts[0].dtype
    return _made([v for part in parts for v in part._values()], kind, (len(parts), *inner))


def asarray(value, kind=None):
    same = isinstance(value, ndarray) and (kind is None or value.dtype == dtype(kind))
    return value if same else array(value, kind)


ascontiguousarray = asarray


def arange(*numbers, dtype=int):
    return array(list(range(*numbers)), dtype)


def concatenate(parts):
    return _made([v for part in parts for v in part._values()], parts[0].dtype, (builtins.sum(map(len, parts)),))


def repeat(part, n):
    return part[array([i for i in range(len(part)) for _ in range(n)], int)]


def tile(part, n):
    return concatenate([part] * n) if n else part[:0]


def resize(part, n):
    values = part._values()
    return _made([values[i % len(values)] for i in range(n)], part.dtype, (n,))


def broadcast_to(part, n):
    return _made(_spread(part, (n,))._values(), part.dtype, (n,))


def nonzero(part):
    found = [i for i, v in zip(itertools.product(*map(range, part.shape)), part._values(), strict=True) if v]
    return [array([i[axis] for i in found], int) for axis in range(part.ndim)]


def flatnonzero(part):
    return array([i for i, v in enumerate(part._values()) if v], int)


def where(choice, one, other):
    shape = choice.shape
    return _made(
        [a if c else b for c, a, b in zip(*[_spread(p, shape)._values() for p in (choice, one, other)])], None, shape
    )


def sum(parts, axis=None):
    return asarray(parts).sum(axis)


def unique(part):
    return array(sorted({*part._values()}), part.dtype)


def unravel_index(i, shape):
    parts = []
    for length in reversed(shape):
        parts, i = [i % length, *parts], i // length
    return tuple(parts)


def iinfo(kind):
    bits = 8 * dtype(kind).itemsize
    return types.SimpleNamespace(min=-(1 << bits - 1), max=(1 << bits - 1) - 1)


frexp, ldexp, round, isfinite = math.frexp, math.ldexp, builtins.round, math.isfinite
random = types.SimpleNamespace(default_rng=lambda seed=None: None, Generator=None)  # the scripted agent draws nothing
typing = sys.modules["numpy.typing"] = types.ModuleType("numpy.typing")
typing.NDArray = typing.ArrayLike = list
__path__, __version__ = [], "0"
