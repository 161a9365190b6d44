"""The formats of logs: one row each, with examples, which are its tests."""

from typing import NamedTuple

from .levels import WORD
from .times import CLOCK, DATE, DAY, EPOCH, ISO, MONTH, MONTH_NAME, SPACED_DAY, YEAR, ZONE

_DAY_NAME = rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) "
_METHOD = rb"(?:GET|POST|HEAD|PUT|DELETE|OPTIONS|PATCH|CONNECT|PROPFIND) "
_PAIR = rb'[\w.@/-]+=(?:"(?:[^"\\\n]|\\.)*"|[^\s"]*) +'
_LOGFMT_KEY = rb'(?:level|lvl|severity)="?'

# How to get from the start to the level: word by word, string by string, pair by pair. A key comes before a word.
# `(?:x|)` is faster than `(?:x)?`, here and in times.
LEVEL_WORD = rb"[^\w\n]*+(?:\w++[^\w\n]++)*?(?P<word>" + WORD + b")"
_JSON_LEVEL = (
    rb'(?:[^"\n]*+")*?(?:[Ll]evel|severity|lvl|log\.level|[Ll]og[Ll]evel|levelname|@l|s)"[ \t]*:[ \t]*"?'
    rb"(?P<later_level>\w+)|" + LEVEL_WORD
)
_LOGFMT_LEVEL = rb"(?:\S*+[ \t]++)*?" + _LOGFMT_KEY + rb"(?P<later_level>\w+)|" + LEVEL_WORD
_HTTP_STATUS = rb' "[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" (?P<status>[1-5]\d\d)\b'
_W3C_STATUS = rb"[^\n]* (?P<status>[1-5]\d\d)(?: \d+){2,3}(?=\r?(?:\n|\Z))"

_JSON_TIME = (
    rb'"(?:[Tt]ime|ts|[Tt]imestamp|@timestamp|@t|date|datetime|asctime|\$date)"[ \t]*:[ \t]*"?'
    rb"(?:" + ISO + b"|" + EPOCH + b")"
)


class Row(NamedTuple):
    """A format: how a line begins that starts a record, with its time, and where its level is."""

    name: str
    start: bytes
    examples: str
    """Lines as logs have them, each after its time as ISO 8601 and its level, or `-` where it has none.

    For a file that was modified on 2026-11-18 at noon.
    """
    later_level: bytes = LEVEL_WORD
    """What follows the start up to the level, if the start has none: `later_level`, a level `word`, or a `status`."""
    time: bytes | None = None
    """Searched for in the line, if the start has no time."""
    has_times: bool = True
    first: bytes = rb"\S"
    """The class of bytes that it may begin with."""


# Where lines match several rows, the first one is taken.
ROWS = (
    Row(
        "json",
        rb'\{(?=[ \t]*")',
        time=_JSON_TIME,
        later_level=_JSON_LEVEL,
        first=rb"{",
        examples="""
        2026-11-18T01:02:03.250+00:00 info {"level":"info","ts":1794963723.25,"caller":"a.go:1","msg":"zap"}
        2026-11-18T01:02:03.456+00:00 info {"level":30,"time":1794963723456,"pid":1,"msg":"pino"}
        2026-11-18T01:02:03.456+00:00 error {"name":"bunyan","level":50,"msg":"info","time":"2026-11-18T01:02:03.456Z"}
        2026-11-18T01:02:03+01:00 warning {"level":"warning","msg":"logrus","time":"2026-11-18T01:02:03+01:00"}
        2026-11-18T01:02:03.456789+00:00 critical {"@t":"2026-11-18T01:02:03.4567891Z","@mt":"Serilog","@l":"Fatal"}
        2026-11-18T01:02:03+00:00 error {"log":"ERROR: docker\\n","stream":"stderr","time":"2026-11-18T01:02:03Z"}
        2026-11-18T01:02:03+00:00 warning {"LogLevel":"Warning","Message":".NET","Timestamp":"2026-11-18T01:02:03Z"}
        2026-11-18T01:02:03.400+01:00 debug {"Timestamp":"2026-11-18T01:02:03.4+01:00","Text":"error","Level":"Debug"}
        2026-11-18T01:02:03+00:00 debug {"@timestamp":"2026-11-18T01:02:03Z","log.level":"DEBUG"}
        2026-11-18T01:02:03+00:00 notice {"severity":"NOTICE","timestamp":"2026-11-18T01:02:03Z"}
        2026-11-18T01:02:03.456+01:00 warning {"t":{"$date":"2026-11-18T01:02:03.456+01:00"},"s":"W","c":"MongoDB"}
        2026-11-18T01:02:03+00:00 error {"version":"1.1","timestamp":1794963723,"level":3,"host":"GELF"}
        """,
    ),
    Row(
        "logfmt",
        rb"(?:"
        + _LOGFMT_KEY
        + rb'(?P<level>\w+)"? +)?(?:'
        + _PAIR
        + rb')*?(?:time|ts|t|timestamp)="?(?:'
        + ISO
        + b"|"
        + EPOCH
        + b")",
        later_level=_LOGFMT_LEVEL,
        examples="""
        2026-11-18T01:02:03+00:00 warning time="2026-11-18T01:02:03Z" level=warning msg="logrus"
        2026-11-18T01:02:03.456+01:00 error time=2026-11-18T01:02:03.456+01:00 level=ERROR msg=slog
        2026-11-18T01:02:03.456+00:00 info level=info ts=2026-11-18T01:02:03.456Z caller=go-kit err=none
        2026-11-18T01:02:03+00:00 debug logger=grafana msg="a \\"b\\"" t=2026-11-18T01:02:03Z lvl=dbug
        2026-11-18T01:02:03.250+00:00 debug ts=1794963723.25 level=debug
        """,
    ),
    Row(
        "w3c",
        DATE + b" " + CLOCK + rb" (?:\S+ ){0,3}?" + _METHOD,
        later_level=_W3C_STATUS,
        first=rb"\d",
        examples="""
        2026-11-18T01:02:03 warning 2026-11-18 01:02:03 10.0.0.1 GET /error.htm - 80 - 10.0.0.2 curl/8.0 - 404 0 2 15
        2026-11-18T01:02:03 error 2026-11-18 01:02:03 W3SVC1 WEB1 10.0.0.1 POST /a - 443 - 10.0.0.2 - - 500 0 0 3
        """,
    ),
    Row(
        "clf",
        rb"\S+ [^[\n]{1,256}\[" + DAY + b"/" + MONTH_NAME + b"/" + YEAR + b":" + CLOCK + ZONE + rb"\]",
        later_level=_HTTP_STATUS,
        examples="""
        2026-11-18T01:02:03+00:00 info 127.0.0.1 - - [18/Nov/2026:01:02:03 +0000] "GET /error HTTP/1.1" 200 15 "-" "-"
        2026-11-18T01:02:03-05:30 warning ::1 - jane doe [18/Nov/2026:01:02:03 -0530] "\\"" 400 0
        2026-11-18T01:02:03+01:00 error a.example:80 ::1 - - [18/Nov/2026:01:02:03 +0100] "GET / HTTP/1.1" 502 9
        """,
    ),
    Row(
        "klog",
        rb"(?P<level>[DIWEF])(?P<year>\d{4})?" + MONTH + DAY + b" " + CLOCK + rb" +\d+ ",
        first=rb"DIWEF",
        examples="""
        2026-11-18T01:02:03.456789 error E1118 01:02:03.456789       1 server.go:12] info
        2025-12-31T01:02:03.456789 critical F20251231 01:02:03.456789 12345 main.cc:7] glog
        """,
    ),
    Row(
        "ruby",
        rb"(?:(?P<level>[DIWEF])|\w), \[" + ISO + rb" #\d+\]",
        first=rb"\w",
        examples="""
        2026-11-18T01:02:03.456789 warning W, [2026-11-18T01:02:03.456789 #123]  WARN -- : [id] Rails
        2026-11-18T01:02:03.456789 - A, [2026-11-18T01:02:03.456789 #123]   ANY -- : Rails
        """,
    ),
    Row(
        "logcat",
        MONTH + b"-" + DAY + b" " + CLOCK + rb" +\d+ +\d+ (?P<level>[VDIWEFA]) ",
        first=rb"\d",
        examples="""
        2026-11-18T01:02:03.456 trace 11-18 01:02:03.456  1234  5678 V Android: info
        """,
    ),
    Row(
        "redis",
        rb"\d+:[A-Z] " + DAY + b" " + MONTH_NAME + b" " + YEAR + b" " + CLOCK + rb" (?P<level>[.*#-]) ",
        first=rb"\d",
        examples="""
        2026-11-18T01:02:03.456 warning 123:M 18 Nov 2026 01:02:03.456 # Redis
        2026-11-18T01:02:03.456 notice 123:S 18 Nov 2026 01:02:03.456 * no errors
        """,
    ),
    Row(
        "rfc5424",
        rb"<(?P<priority>\d{1,3})>\d{1,2} " + ISO + b" ",
        first=rb"<",
        examples="""
        2026-11-18T01:02:03.003+00:00 critical <34>1 2026-11-18T01:02:03.003Z host app 1 ID47 - no info
        """,
    ),
    Row(
        "syslog",
        rb"(?:<(?P<priority>\d{1,3})>)?"
        + MONTH_NAME
        + SPACED_DAY
        + b"(?:,? "
        + YEAR
        + b")? "
        + CLOCK
        + b"(?: (?P<half>[AP]M)|)(?= )",
        first=rb"<JFMASOND",
        examples="""
        2026-11-18T13:02:03 - Nov 18, 2026 1:02:03 PM com.example.Main main
        2026-11-18T01:02:03 notice <13>Nov 18 01:02:03 host app[1]: RFC 3164
        2026-11-06T01:02:03 error Nov  6 01:02:03 host systemd[1]: Failed with error
        2025-12-31T23:59:59.123456 - Dec 31 23:59:59.123456 host journalctl[1]: short-precise
        2024-02-29T01:02:03 - Feb 29 01:02:03 host app: leap day
        """,
    ),
    Row(
        "unix-date",
        rb"\[?"
        + _DAY_NAME
        + MONTH_NAME
        + SPACED_DAY
        + b" "
        + CLOCK
        + rb"(?P<zone> (?:UTC|GMT))?(?: [A-Z]{2,5})? "
        + YEAR,
        first=rb"\[MTWFS",
        examples="""
        2026-11-18T01:02:03.456789 error [Wed Nov 18 01:02:03.456789 2026] [core:error] [pid 7] Apache
        2026-11-18T01:02:03+00:00 - Wed Nov 18 01:02:03 UTC 2026 date
        2026-11-08T01:02:03 - Wed Nov  8 01:02:03 CET 2026 date
        2026-11-18T01:02:03 warning [Wed Nov 18 01:02:03 2026] dmesg -T: warning
        """,
    ),
    Row(
        "day-month-year",
        rb"\[?" + DAY + b"[-/ ]" + MONTH_NAME + b"[-/ ]" + YEAR + b" " + CLOCK + ZONE,
        first=rb"\[\d",
        examples="""
        2026-11-18T01:02:03.456 warning 18 Nov 2026 01:02:03,456 [main] WARN  log4j
        2026-11-18T01:02:03 - [18/Nov/2026 01:02:03] "GET / HTTP/1.1" 200 5 Django
        2026-11-18T01:02:03.456 error 18-Nov-2026 01:02:03.456 SEVERE [main] Tomcat
        2026-11-18T01:02:03+00:00 warning [18-Nov-2026 01:02:03 UTC] PHP Warning:  an error
        """,
    ),
    Row(
        "spark",
        rb"(?P<year>\d\d)/" + MONTH + b"/" + DAY + b" " + CLOCK + rb" (?P<level>[A-Z]{4,5}) ",
        first=rb"\d",
        examples="""
        2026-11-18T01:02:03 warning 26/11/18 01:02:03 WARN NativeCodeLoader: Spark
        """,
    ),
    Row(
        "slashes",
        rb"\[?" + YEAR + b"/" + MONTH + b"/" + DAY + b"[ T]" + CLOCK + ZONE,
        first=rb"\[\d",
        examples="""
        2026-11-18T01:02:03 critical 2026/11/18 01:02:03 [crit] 7#7: *1 nginx error
        2026-11-18T01:02:03.456789 - 2026/11/18 01:02:03.456789 main.go:12: Go
        """,
    ),
    Row(
        "windows-event",
        rb"(?P<level>Information|Warning|Error|Critical|Verbose)\t(?P<month>\d{1,2})/(?P<day>\d{1,2})/"
        + YEAR
        + b" "
        + CLOCK
        + rb"(?: (?P<half>[AP]M))?\t",
        first=rb"IWECV",
        examples="""
        2026-11-18T01:02:03 info Information\t11/18/2026 1:02:03 AM\tService Control Manager\t7036\tNone
        2026-11-18T12:02:03 critical Critical\t11/18/2026 12:02:03 PM\tKernel-Power\t41\t(63)
        """,
    ),
    Row(
        "audit",
        rb"(?:node=\S+ )?type=\S+ msg=audit\(" + EPOCH + rb":\d+\)",
        first=rb"nt",
        examples="""
        2026-11-18T01:02:03.250+00:00 - type=SYSCALL msg=audit(1794963723.250:42): arch=c000003e
        """,
    ),
    Row(
        "mysql-slow",
        rb"# Time: " + ISO,
        first=rb"#",
        examples="""
        2026-11-18T01:02:03.456789+00:00 - # Time: 2026-11-18T01:02:03.456789Z
        """,
    ),
    Row(
        "iso8601",
        rb"\[?(?:" + _DAY_NAME + b"|)" + ISO,
        first=rb"\[\dMTWFS",
        examples="""
        2026-11-18T01:02:03.456 info 2026-11-18 01:02:03,456 [main] INFO  com.example.Error - log4j
        2026-11-18T01:02:03.456 warning 2026-11-18 01:02:03,456 - name - WARNING - Python logging
        2026-11-18T01:02:03.456 critical [2026-11-18 01:02:03,456] FATAL Kafka
        2026-11-18T01:02:03+00:00 - 2026-11-18T01:02:03+0000 host systemd[1]: journalctl -o short-iso
        2026-11-18T01:02:03+00:00 - Wed 2026-11-18 01:02:03 UTC host journalctl[1]: short-full
        2026-11-18T01:02:03.456+01:00 error 2026-11-18T01:02:03.456+0100\tERROR\tmain.go:12\tzap
        2026-11-18T01:02:03.456+00:00 warning 2026-11-18 01:02:03.456 +00:00 [WRN] Serilog
        2026-11-18T01:02:03.123456+00:00 - 2026-11-18T01:02:03.123456789Z docker logs -t
        2026-11-18T01:02:03.123456+00:00 - 2026-11-18T01:02:03.123456789Z stderr F kubectl --timestamps
        2026-11-18T01:02:03.456+00:00 info 2026-11-18 01:02:03.456 UTC [123] LOG:  error in PostgreSQL
        2026-11-18T01:02:03.456 critical 2026-11-18 01:02:03.456 CET [123] PANIC:  PostgreSQL
        2026-11-18T01:02:03.456789+00:00 notice 2026-11-18T01:02:03.456789Z 0 [Note] [MY-010068] MySQL
        2026-11-18T01:02:03 error 2026-11-18  1:02:03 0 [ERROR] MariaDB
        2026-11-18T01:02:03.456 error 2026-11-18 01:02:03.456 [error] Elixir with a date
        2026-11-18T01:02:03.456789+00:00 info 2026-11-18T01:02:03.456789Z  INFO app: Rust tracing
        2026-11-18T01:02:03+00:00 debug [2026-11-18T01:02:03Z DEBUG app] env_logger
        2026-11-18T01:02:03 critical [2026-11-18 01:02:03] local.CRITICAL: Laravel
        2026-11-18T01:02:00 - 2026-11-18 01:02 by hand
        """,
    ),
    Row(
        "iso8601",
        rb"\[?(?P<level>" + WORD + rb")\]?[:,]? +\[?" + ISO,
        first=rb"\[\w",
        examples="""
        2026-11-18T01:02:03.456 info INFO  2026-11-18 01:02:03,456 [main] log4j: error
        2026-11-18T01:02:03+00:00 error [ERROR] 2026-11-18T01:02:03Z AWS Lambda
        """,
    ),
    Row(
        "iso8601",
        rb"\[?[\w./:@-]+\]?(?:\[\d+\])?:? +(?:\| +)?\[?" + ISO,
        examples="""
        2026-11-18T01:02:03.456+00:00 error web-1  | 2026-11-18T01:02:03.456Z ERROR docker compose
        2026-11-18T01:02:03+00:00 - [pod/a/b] 2026-11-18T01:02:03Z kubectl --prefix
        2026-11-18T01:02:03 warning app[12]: 2026-11-18 01:02:03 warn
        """,
    ),
    Row(
        "time-of-day",
        rb"\[?" + CLOCK + rb"(?![^]\s,|:])",
        first=rb"\[\d",
        examples="""
        2026-11-18T01:02:03.456 info 01:02:03.456 [info] Elixir
        2026-11-18T01:02:03 critical [01:02:03 FTL] Serilog
        2026-11-17T13:02:03.456 debug 13:02:03.456 [main] DEBUG com.example.Main -- logback
        """,
    ),
    Row(
        "epoch",
        rb"\[?" + EPOCH + rb"(?![^]\s,|:])",
        first=rb"\[\d",
        examples="""
        2026-11-18T01:02:03+00:00 error 1794963723 error
        2026-11-18T01:02:03.250+00:00 - 1794963723.250     45 10.0.0.1 TCP_MISS/200 squid
        2026-11-18T01:02:03.250+00:00 warning [1794963723250] warn
        """,
    ),
    Row(
        "dmesg",
        rb"(?:<(?P<priority>\d{1,3})>|\w+ *:(?P<level>\w+) *: )?\[ *\d+\.\d{6}\] ",
        has_times=False,
        examples="""
        - warning kern  :warn  : [ 5546.555998] dmesg -x: no error
        - error [    1.234567] usb 1-1: device descriptor read/64, error -71
        - warning <4>[12345.678901] dmesg -r
        """,
    ),
    Row(
        "python",
        rb"(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL):[^:\s]+:",
        has_times=False,
        first=rb"DIWEC",
        examples="""
        - warning WARNING:root:no error
        - info INFO:app.main:started
        """,
    ),
    Row(
        "json",
        rb'\{(?=[ \t]*")',
        later_level=_JSON_LEVEL,
        has_times=False,
        first=rb"{",
        examples="""
        - info {"msg":"no error","level":"info"}
        """,
    ),
)

TEXT = Row(
    "text",
    # What follows another line: white space, parts of stack traces, and what closes a bracket.
    rb"(?!\s|[)\]}]|Caused by:|at |\.\.\.|\Z)",
    has_times=False,
    examples="""
    - error Error: what a program prints
    - info info: Microsoft.Hosting.Lifetime[14]
    """,
)
