"""The daemon's log: on stderr or in a file. It never holds file contents, parameters or absolute paths."""

import logging
import sys

from forge_daemon import __version__

logger = logging.getLogger(__name__)


def start_log(log_file: str | None, log_level: str, protocol: str) -> None:
    logging.basicConfig(
        filename=log_file,
        level=log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    major, minor = sys.version_info[:2]
    logger.info("forge-read %s starts: %s, Python %d.%d on %s", __version__, protocol, major, minor, sys.platform)
