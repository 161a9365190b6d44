"""How slow the clocks of file systems are, compared with ours.

Whether a file is old enough to be trusted is judged by its times, which its file system sets. Where that is another
machine, its clock may be slow, and everything on it would look old. A change that was made after we looked, but
has an earlier time, shows by how much at least. So does the access time of our own reads, where it is kept.
"""

_MINUTE_NS = 60_000_000_000


class FileClocks:
    """The clocks of one workspace folder's devices, which are few."""

    def __init__(self) -> None:
        self._behind_ns: dict[int, int] = {}

    def note_change(self, device: int, changed_ns: int, looked_ns: int) -> None:
        """Learn from the time of a change that was made after we looked."""
        if changed_ns < looked_ns:
            self._behind_ns[device] = max(looked_ns - changed_ns, self._behind_ns.get(device, 0))

    def note_access(self, device: int, accessed_ns: int, looked_ns: int) -> None:
        """Learn from the access time of a read that was made after we looked."""
        if accessed_ns % _MINUTE_NS:  # FAT keeps the day alone
            self.note_change(device, accessed_ns, looked_ns)

    def earliest_now(self, device: int, now_ns: int) -> int:
        """The earliest time it can be by a file system's clock."""
        return now_ns - self._behind_ns.get(device, 0)
