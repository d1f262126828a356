"""A scenario over real bytes: devices on pseudo-terminals, the controller a process of its own, its socket
the only door."""

import contextlib
import os
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from controller.config import Config
from controller.door import DoorClient, Wish
from controller.errors import DoorError, TableError
from controller.events import DEVICES, DeviceName
from controller.loop import Startup
from controller.notices import AnyAnswer, Denied, LedgerDigest, Notice, Rest
from controller.people_file import write_people
from controller.ranking import warm
from controller.serve import serve
from hil_rigs.child import PATIENCE_S, keep_open, leave, wait_for_end
from hil_rigs.keys import draw_keys, keep_keys
from hil_rigs.simulate.bench import PEOPLE, BenchError, configuration, virtual_table
from hil_rigs.simulate.floors import Floors
from hil_rigs.simulate.scenario import Floor, Scenario
from hil_rigs.virtual.ptys import PtyTable
from hil_rigs.virtual.table import VirtualTable

REST_S: Final = 30.0
"""How long a table may take to come to rest."""
_TURN_S: Final = 0.002


class WireBench:
    """A virtual table on ports of its own and a controller process that knows it by them alone.

    `lateness` seeds when the zones report; `before_serving` is done by the first controller before it serves.
    `folder` holds ports, journal and door until the end.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        lateness: int | None = None,
        before_serving: Callable[[], None] | None = None,
    ) -> None:
        self._keys = draw_keys(DEVICES)
        self.table: VirtualTable = virtual_table(scenario, lateness, self._keys)
        self.folder = Path(tempfile.mkdtemp(prefix="cutcard-"))
        self._floors = Floors(scenario)
        self._client: DoorClient | None = None
        self._told: list[Notice] = []
        self._before_serving = before_serving
        self._ptys: PtyTable | None = None
        self._process: _Controller | None = None
        try:
            self._open(scenario)
        except BaseException:
            self.close()
            raise

    def _open(self, scenario: Scenario) -> None:
        names = cast(tuple[DeviceName, ...], tuple(self.table.devices))
        ports = {name: str(self.folder / name) for name in names}
        security = keep_keys(self.folder, {name: self._keys[name] for name in names})
        self._config = configuration(scenario, ports, self.folder, self.table.decks, security)
        self.table.write_registry(self.folder / "decks.json")
        if self._floors:
            write_people(self.folder / PEOPLE, self._floors.people())
        warm()  # before the fork, so that each controller has it already
        self._process = _Controller(self._config, self._before_serving)
        self._ptys = PtyTable(self.table, self.folder)
        self._controller.go()
        self._connect()

    def _connect(self) -> None:
        deadline = time.monotonic() + REST_S
        socket = Path(self._config.door.socket)
        while self._client is None:
            self._turn(deadline)
            if socket.exists():
                try:
                    self._client = DoorClient(socket, since=len(self._told) + 1)
                except DoorError:  # the file is there, and nobody listens yet
                    self._client = None

    @property
    def _controller(self) -> "_Controller":
        if self._process is None:
            raise BenchError("the controller is not started yet")
        return self._process

    @property
    def ptys(self) -> PtyTable:
        """The devices' ends of the ports."""
        if self._ptys is None:
            raise BenchError("the ports are not made yet")
        return self._ptys

    @property
    def _door(self) -> DoorClient:
        if self._client is None:
            raise BenchError("the controller does not answer")
        return self._client

    @property
    def notices(self) -> Sequence[Notice]:
        """All that the controller has told so far."""
        return [*self._told, *self._door.notices]

    def restart(self) -> None:
        """Kills the controller where it stands, and starts another on its journal."""
        self._controller.kill()
        self._disconnect()
        self._process = _Controller(self._config)
        self._process.go()
        self._connect()

    def was_killed(self) -> bool:
        """Whether a controller that does not answer any more was ended by SIGKILL."""
        return self._controller.was_killed()

    def _disconnect(self) -> None:
        """The door is gone: what it has told to its last is kept."""
        door, self._client = self._client, None
        if door is None:
            return
        with contextlib.suppress(DoorError):
            while True:
                door.hear()
                select.select([door], [], [])
        self._told += door.notices
        door.close()

    def rest(self) -> None:
        """Moves bytes until the devices are quiet, the controller says that it is at rest, and nothing came
        between."""
        deadline = time.monotonic() + REST_S
        while not self._is_at_rest(deadline):
            pass

    def _is_at_rest(self, deadline: float) -> bool:
        while not self.ptys.quiet:
            self._turn(deadline)
        answer, moved = self._ask(lambda door: door.ask("rest"), deadline)
        if not isinstance(answer, Rest):
            raise BenchError("the controller does not say whether it is at rest")
        times = {name: device.time_ms for name, device in self.table.devices.items()}
        if moved or not answer.rest or answer.times != times:
            self._turn(deadline)
            return False
        return self.ptys.quiet

    def _ask(self, put: Callable[[DoorClient], None], deadline: float) -> tuple[AnyAnswer, bool]:
        """The controller's answer to what is put to it, and whether bytes moved on the ports meanwhile."""
        door = self._door
        moved = False
        try:
            put(door)
            while (answer := door.answer()) is None:
                moved = self._turn(deadline) or moved
        except DoorError as error:
            self._controller.check()
            raise BenchError(f"the controller does not answer: {error}") from None
        return answer, moved

    def _turn(self, deadline: float) -> bool:
        moved = self.ptys.pump(_TURN_S, also=() if self._client is None else (self._client.fileno(),))
        if not moved:
            self._controller.check()
            if time.monotonic() > deadline:
                raise BenchError(f"the table does not come to rest within {REST_S:.0f} s")
        return moved

    def ledger(self, nonce: bytes) -> Mapping[str, tuple[int, str]]:
        """The controller's ledger, digested."""
        answer, _ = self._ask(lambda door: door.ask("ledger", nonce=nonce), time.monotonic() + REST_S)
        if not isinstance(answer, LedgerDigest):
            raise BenchError("the controller does not tell of its ledger")
        return answer.zones

    def wish(self, wish: Wish) -> None:
        """What a player wants, said at the controller's door."""
        self._ask(lambda door: door.wish(wish), time.monotonic() + REST_S)

    def decide(self, act: Floor) -> str:
        """What the floor decides, said at the controller's door."""
        ruling = self._floors.ruling(act)
        answer, _ = self._ask(lambda door: door.decide(ruling), time.monotonic() + REST_S)
        return answer.why if isinstance(answer, Denied) else ""

    def close(self) -> None:
        """Stops the controller and takes everything away."""
        if self._client is not None:
            self._client.close()
        if self._process is not None:
            self._process.end()
        if self._ptys is not None:
            self._ptys.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class _Controller:
    """The controller's process. It waits until the ports are there; of what its parent has open it keeps
    nothing: an end of a port would keep that open."""

    def __init__(self, config: Config, before_serving: Callable[[], None] | None = None) -> None:
        wait_read, self._go = os.pipe()
        self._said, say = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            keep_open(wait_read, say)
            _be_the_controller(config, wait_read, say, before_serving)
        os.close(wait_read)
        os.close(say)
        os.set_blocking(self._said, False)
        self._ended = False
        self._status = 0

    def go(self) -> None:
        """The ports are there."""
        with contextlib.suppress(BrokenPipeError):  # it has ended already: `check` says so
            os.write(self._go, b"g")

    def check(self) -> None:
        """Raises BenchError with the controller's own words where it has ended."""
        if self._ended:
            raise BenchError("the controller has ended")
        pid, status = os.waitpid(self._pid, os.WNOHANG)
        if pid:
            self._ended = True
            self._status = status
            raise BenchError(f"the controller has ended: {self._last_words()}")

    def _last_words(self) -> str:
        try:
            return os.read(self._said, 4096).decode() or "without a word"
        except BlockingIOError:
            return "without a word"

    def was_killed(self) -> bool:
        """Whether it was ended by SIGKILL; waits a moment for the end of one whose door is shut already."""
        if not self._ended:
            end = os.pidfd_open(self._pid)
            try:
                select.select([end], [], [], PATIENCE_S)
            finally:
                os.close(end)
            with contextlib.suppress(BenchError):
                self.check()
        return os.WIFSIGNALED(self._status) and os.WTERMSIG(self._status) == signal.SIGKILL

    def kill(self) -> None:
        """Kills it without a warning, and lets it go."""
        if not self._ended:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._ended = True
        self.end()

    def end(self) -> None:
        """Stops the process and waits for its end."""
        if not self._ended:
            os.kill(self._pid, signal.SIGTERM)
            wait_for_end(self._pid)
            self._ended = True
        os.close(self._said)
        os.close(self._go)


def _be_the_controller(
    config: Config, wait: int, say: int, before_serving: Callable[[], None] | None
) -> None:
    """The child: serves the table and leaves without running any of the parent's endings."""
    status = 1
    try:
        if before_serving is not None:
            before_serving()
        if os.read(wait, 1) == b"g":
            serve(config, started=lambda loop: loop.stop_when_closed(wait))
        status = 0
    except (TableError, Startup) as error:
        os.write(say, str(error).encode())
    finally:
        leave(status, say)
