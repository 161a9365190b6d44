import sys

from forge_daemon.server.main import leave, serve

leave(serve(None, "warning"))
