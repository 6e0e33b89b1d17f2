"""All that this package uses of Numba beyond its public interface.

What is used, and what happens in a version of Numba that lacks it:

- The option `_nrt` of `njit` compiles without reference counting. Views of a record then cost nothing, and an
  allocation does not compile. Without it Numba refuses `OPTIONS`: take it out there, and let `_load_or_remove`
  load by `load_overload`, which prepares the counting. Games play the same, slower.
- The option `no_cfunc_wrapper` leaves out code for callers in C. Without it, the same.
- `Dispatcher.get_call_template` is replaced so that kernels pass integers as int64. If Numba does not call it, it
  compiles a kernel for every integer type, which takes longer.
- `Dispatcher._cache` is asked for its code by `load_overload` and given new code by `save_overload`, which are
  replaced. `_guard_against_spurious_io_errors` and `_load_overload`, two parts of the first one, still load the code,
  and `_cache_file._data_name` names the files of new code. Without them, `mend_cache` raises AttributeError; remove its
  call, and a damaged file or a full disk stops the program, and two processes that compile at the same time may take
  each other's code.
- `Dispatcher._cache._cache_file._index_path` is the file that exists once a function is stored. Without it, let
  `is_stored` return True, and single tables wait for the compiler.
- `FunctionIdentity._unique_ids` numbers the functions of a process in the names of their symbols. Without it,
  `distinguish_symbols` has no effect. Then code of two processes can have equal symbols, and a process that loads both
  calls one for the other.
- `CPUContext.codegen()._library_class` makes the library of every function. `Library` takes its place, so that kernels
  are only linked into entry points. It overrides `finalize`, `_optimize_final_module`, `enable_object_caching`,
  `get_pointer_to_function`, `codegen`, `serialize_using_object_code` and `_unserialize`, and reads
  `_linking_libraries`, `_final_module` and `_get_module_for_linking`. `_compiler.compile`, `add_overload` and
  `_compile_for_args` of a kernel's dispatcher are replaced. Without them, make `link_only` do nothing: every kernel
  gets machine code of its own, in twice the time.
- `Record.__repr__`, `TargetConfig.values`, `Inst._rec_list_vars` and `BaseFunction.get_call_type`, which depends on
  `ConfigStack`, are replaced by faster ones, and the passes of `DefaultPassBuilder` named in `NEEDLESS` are left out.
  Without these names the import of this module fails; remove what replaces them, and compiling takes a quarter longer.
- `numba.core.event` reports the functions being compiled. Without it the import of this module fails; remove
  `on_compile`, and the first start of a game is silent.
- `numba.core.cgutils`, `numba.core.typing.signature` and `numba.np.arrayobj` make arrays on the stack. Without them the
  import of this module fails, and `stack_zeros` must be written anew: three games need it.
"""

from __future__ import annotations

import functools
import gc
import itertools
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba import config, types
from numba.core import bytecode, cgutils, event, ir, targetconfig
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.core.typing import signature
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

OPTIONS = {"_nrt": False, "no_cfunc_wrapper": True}  # of `numba.njit`, for all kernels and entry points
DISABLED = bool(config.DISABLE_JIT)
LINKED = {"no_cpython_wrapper": True}  # for kernels
NEEDLESS = {
    *("WithLifting", "InlineClosureLikes", "RewriteDynamicRaises", "MakeFunctionToJitFunction", "InlineInlinables"),
    *("FindLiterallyCalls", "LiteralUnroll", "LiteralPropagationSubPipelinePass", "InlineOverloads"),
    *("NopythonRewrites", "DumpParforDiagnostics", "AnnotateTypes"),
}
ALIGNMENT = 16  # bytes, enough for every field of a record


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Return a dispatcher of a function, which compiles it when it is called."""
    dispatcher = numba.njit(nogil=True, error_model="numpy", pipeline_class=Pipeline, **OPTIONS, **options)(function)
    _pass_int64(dispatcher)
    return dispatcher


def _pass_int64(dispatcher: Any) -> None:
    """Let kernels pass integers as int64, so that Numba does not compile a kernel for every integer type."""
    dispatcher.get_call_template = functools.partial(_called_with_int64, dispatcher.get_call_template)


def _called_with_int64(template: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    plain = [types.unliteral(argument) for argument in arguments]
    wide = [types.int64 if isinstance(argument, types.Integer) else argument for argument in plain]
    return template(tuple(wide), named)


class Pipeline(CompilerBase):
    """Numba's passes over a function, without those for closures, array expressions and notes for people.

    Each pass looks through the whole function, and Numba checks all of it again after each one.
    """

    def define_pipelines(self) -> list[Any]:
        """Return the passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [each for each in passes.passes if each[0].__name__ not in NEEDLESS]
        passes.finalize()
        return [passes]


# How often the functions being compiled are optimised, each called by the one before; KERNEL = with its entry points.
_rounds: list[int] = []
KERNEL = 0
_call_types: dict[tuple[Any, ...], Any] = {}  # by call, while an entry point is being compiled


class Library(JITCodeLibrary):
    """The code of one function. That of a kernel has no machine code: it is optimised in the entry points that call it.

    Numba would optimise every kernel with all that it calls, translate it into machine code, and do the same again for
    each of its callers.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.rounds = 1
        self.linked = bool(_rounds)  # also helpers of Numba that are compiled for a kernel or an entry point

    @property
    def codegen(self) -> Any:
        """Return the code generator. It writes into no machine code of a kernel, because there is none."""
        return _NoMachineCode(self._codegen) if self.linked else self._codegen

    def enable_object_caching(self) -> None:
        """Prepare the library of a function that is not a helper."""
        super().enable_object_caching()
        self.rounds = _rounds[-1] if _rounds else 1
        self.linked = self.rounds == KERNEL

    def finalize(self) -> None:
        """Leave the code of a kernel as it is; link an entry point with all kernels below it."""
        if self.linked:
            self._raise_if_finalized()
            self._finalized = True
        else:
            self._linking_libraries = self._below()
            super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimise once or twice: only after a first time are some kernels small enough to be copied into callers."""
        for _ in range(self.rounds):
            super()._optimize_final_module()

    def _below(self) -> list[Any]:
        """Return the libraries that this one calls, and those that they call, each once."""
        found: dict[int, Any] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop(0)
            if id(library) not in found:
                found[id(library)] = library
                if getattr(library, "linked", False):  # the code of others holds what it calls
                    waiting += library._linking_libraries
        return list(found.values())

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function, or 0 in a kernel."""
        return 0 if self.linked else int(super().get_pointer_to_function(name))

    def serialize_using_object_code(self) -> tuple[str, str, Any]:
        """Return the code as the cache stores it: for a kernel with all that it calls, and not yet optimised."""
        if not self.linked:
            stored: tuple[str, str, Any] = super().serialize_using_object_code()
            return stored
        module = self._get_module_for_linking().clone()
        for library in self._below():
            module.link_in(library._get_module_for_linking(), preserve=True)
        return self.name, "linked", module.as_bitcode()

    @classmethod
    def _unserialize(cls, codegen: Any, state: tuple[str, str, Any]) -> Any:
        name, kind, data = state
        if kind != "linked":
            _rounds.append(1)  # machine code, also where a kernel that calls it is being compiled
            try:
                return super()._unserialize(codegen, state)
            finally:
                _rounds.pop()
        library = cls(codegen, name)
        library._final_module, library.linked, library._finalized = binding.parse_bitcode(data), True, True
        return library


class _NoMachineCode:
    """The code generator of a library without machine code."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def set_env(self, name: str, env: Any) -> None:
        """Do nothing. Numba would write the address of `env` into machine code."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)


def link_only(dispatcher: Any, alone: Callable[[], Any]) -> None:
    """Compile a kernel for its callers only. `alone` returns another dispatcher of it, for calls by Python."""
    dispatcher._compiler.compile = functools.partial(_compile_as, KERNEL, dispatcher._compiler.compile)
    dispatcher.add_overload = functools.partial(_add_linked, dispatcher)
    dispatcher._compile_for_args = lambda *arguments, **named: alone()


def link_kernels(dispatcher: Any, rounds: int) -> None:
    """Compile an entry point together with the kernels that `link_only` got, and optimise it once or twice."""
    dispatcher._compiler.compile = functools.partial(_compile_as, rounds, dispatcher._compiler.compile)


def _compile_as(rounds: int, compile: Callable[..., Any], *arguments: Any) -> Any:
    collects = gc.isenabled()
    gc.disable()  # Numba makes millions of small objects, which Python would look through again and again
    _rounds.append(rounds)
    try:
        return compile(*arguments)
    finally:
        _rounds.pop()
        if not _rounds:
            _call_types.clear()
        if collects:
            gc.enable()


def _add_linked(dispatcher: Any, result: Any) -> None:
    """Add a compiled kernel where Numba looks for it, and not where Python does."""
    dispatcher.overloads[tuple(result.signature.args)] = result


cpu_target.target_context.codegen()._library_class = Library
_resolve = types.BaseFunction.get_call_type


def _call_type(function: Any, context: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Return the signature of a call of one of Numba's functions, such as `+`.

    Numba tries its rules one after another, and again for every `+` of the same types.
    """
    if not _rounds:
        return _resolve(function, context, arguments, named)
    call = (function, context, targetconfig.ConfigStack.top_or_none(), *arguments, *named.items())
    if call not in _call_types:
        _call_types[call] = _resolve(function, context, arguments, named)
    return _call_types[call]


def _values(config: Any) -> dict[str, Any]:
    """Return the values of all options of a compiler's configuration. Numba asks for each one by its property."""
    kind: Any = type(config)
    return {**_defaults(kind), **config._values}


@functools.cache
def _defaults(kind: Any) -> dict[str, Any]:
    return {name: option.default for name, option in kind.options.items()}


def _variables(instruction: Any, part: Any) -> list[Any]:
    """Return the variables in a part of an instruction. Most parts are texts and places in the source, with none."""
    found: list[Any] = []
    for value in part.values() if isinstance(part, dict) else part if isinstance(part, (list, tuple)) else (part,):
        kind: Any = type(value)
        if kind is ir.Var:
            found.append(value)
        elif _may_hold_variables(kind):
            found += value.list_vars() if isinstance(value, ir.Inst) else _variables(instruction, value)
    return found


@functools.cache
def _may_hold_variables(kind: type) -> bool:
    return issubclass(kind, (ir.Inst, list, tuple, dict))


types.BaseFunction.get_call_type = _call_type
ir.Inst._rec_list_vars = _variables
targetconfig.TargetConfig.values = _values
types.Record.__repr__ = types.Record.__str__  # every pass writes all types of a kernel down


def is_dispatcher(value: Any) -> bool:
    """Return whether a value is a function that Numba compiles."""
    return isinstance(value, Dispatcher)


def is_stored(dispatcher: Any) -> bool:
    """Return whether the disk has code of a function, for arguments of some types."""
    file = getattr(dispatcher._cache, "_cache_file", None)  # a function that is not kept on disk has none
    return file is not None and Path(file._index_path).exists()


def mend_cache(dispatcher: Any) -> None:
    """Make the disk cache of a function safe against damaged files, full disks and other processes.

    A folder that cannot be read is removed with one message, and its code is compiled again. Code that cannot be
    written is not stored. The files of code have other names in every process: two processes that store the first code
    of a function at the same time would write to one file, which the index then lists under the wrong types.
    """
    cache = dispatcher._cache
    load = cache._guard_against_spurious_io_errors, cache._load_overload
    cache.load_overload = functools.partial(_load_or_remove, *load, cache.cache_path)
    cache.save_overload = functools.partial(_save_or_warn, cache.save_overload, cache.cache_path)
    cache._cache_file._data_name = functools.partial(_data_name, cache._cache_file._data_name)


def _data_name(name: Callable[[int], str], number: int) -> str:
    stem, dot, ending = name(number).rpartition(".")
    return f"{stem}-{_process()}{dot}{ending}"


def _save_or_warn(save: Callable[..., None], folder: str, *arguments: Any) -> None:
    try:
        save(*arguments)
    except OSError as error:
        _warn_of_folder(folder, error.strerror or type(error).__name__)


@functools.cache
def _warn_of_folder(folder: str, problem: str) -> None:
    print(f"tantra_envs: compiled code is not stored in {folder}: {problem}", file=sys.stderr, flush=True)


def distinguish_symbols() -> None:
    """Give the functions of every process their own symbols: the numbers in their names begin at a random one.

    Numba numbers functions and record types of a process from 1. Two processes that compile one kernel for two records
    then often choose equal symbols. In a process that loads the code of both, the linker keeps the first symbol, and
    the callers of the second one get the wrong code.
    """
    _restart_numbers()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_restart_numbers)


def _restart_numbers() -> None:
    _process.cache_clear()
    bytecode.FunctionIdentity._unique_ids = itertools.count(int(_process(), 16))


@functools.cache
def _process() -> str:
    """Return a random number of this process."""
    return secrets.token_hex(6)


def _load_or_remove(guard: Callable[[], Any], load: Callable[..., Any], folder: str, *arguments: Any) -> Any:
    """Return stored code. Numba's own function first imports what only compiling needs, in 0.2 s."""
    try:
        with guard():
            return load(*arguments)
    except Exception as error:  # pickle raises almost anything on damaged bytes
        problem = f"{folder} is damaged ({type(error).__name__}); it is removed and compiled again"
        print(f"tantra_envs: {problem}", file=sys.stderr, flush=True)
        shutil.rmtree(folder, ignore_errors=True)
    return None


def on_compile(started: Callable[[Callable[..., Any]], None], ended: Callable[[], None]) -> None:
    """Call `started` with each function that Numba begins to compile, and `ended` when it has finished one."""
    event.register("numba:compile", _Listener(started, ended))


class _Listener(event.Listener):
    def __init__(self, started: Callable[[Callable[..., Any]], None], ended: Callable[[], None]) -> None:
        self._started, self._ended = started, ended

    def on_start(self, event: event.Event) -> None:
        self._started(event.data["dispatcher"].py_func)

    def on_end(self, event: event.Event) -> None:
        self._ended()


def _stack_zeros(typing: Any, size: Any, dtype: Any) -> Any:
    """Describe to Numba how to make an array on the stack of the calling kernel. Both arguments must be constants."""
    if not isinstance(size, types.IntegerLiteral):
        return None  # Numba reports that no such call is known

    def code(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
        entry = context.get_abi_sizeof(context.get_data_type(dtype.dtype))
        length, width, room = (
            context.get_constant(types.intp, n) for n in (size.literal_value, entry, size.literal_value * entry)
        )
        zeros = cgutils.alloca_once(builder, context.get_data_type(types.int8), size=room)
        zeros.align = ALIGNMENT
        cgutils.memset(builder, zeros, room, 0)
        array = make_array(called.return_type)(context, builder)
        data = builder.bitcast(zeros, array.data.type)
        populate_array(array, data=data, shape=[length], strides=[width], itemsize=width, meminfo=None)
        return array._getvalue()

    return signature(types.Array(dtype.dtype, 1, "C"), size, dtype), code


stack_zeros: Any = intrinsic(_stack_zeros)
