import pytest

from forge_daemon.workspace import policy as policy_module
from forge_daemon.workspace.built_in_policy import BUILT_IN_ALLOW, BUILT_IN_DENY
from forge_daemon.workspace.patterns import check_pattern
from forge_daemon.workspace.policy import Policy, PolicyDenied
from forge_protocol.errors import ErrorCode, ReadError
from tests.workspace.workspaces import denying_pattern


@pytest.mark.parametrize(
    "relative",
    [
        ".env",
        "app/.env",
        ".ENV",
        ".env.local",
        ".envrc",
        "home/.ssh/config",
        "id_rsa",
        "keys/id_ed25519",
        ".gnupg/private-keys-v1.d/x",
        "x/.aws/credentials",
        ".netrc",
        "_netrc",
        ".pypirc",
        ".git-credentials",
        "me/.docker/config.json",
        ".kube/config",
        "a.p12",
        "a.pfx",
        "a.jks",
        "a.keystore",
        "a.kdbx",
        ".htpasswd",
        ".env~",
        ".env.gz",
        ".env.bak.gz",
        ".env-production",
        "prod.env",
        "id_rsa.bak",
        ".id_rsa.swp",
        "a/#id_rsa#",
        "id_rsa.1",
        "AuthKey_ABC.p8",
        "credentials.json",
        "client_secret_1.json",
        "service-account-prod.json",
        "gcp-service-account.json",
        "kubeconfig",
        "admin.kubeconfig",
        "terraform.tfstate",
        "terraform.tfstate.backup",
        "prod.tfvars",
        ".git/config",
        ".aws/config",
        ".aws/sso/cache/x.json",
        ".azure/azureProfile.json",
        ".config/containers/auth.json",
        ".bash_history",
        ".psql_history",
        "wallet.dat",
        ".claude/.credentials.json",
        ".codex/auth.json",
        "x/.password-store/a/b.gpg",
        "host.keytab",
        "config/master.key",
        "credentials (1).json",
        "Credentials copy.json",
        "credentials - Copy.json",
        "credentials - Copy (2).json",
        "credentials copy 2.json",
        "groß.env copy",
        "credentials (another copy).json",
        "Copy of credentials.json",
        ".env copy 3",
        "kubeconfig (2)",
        ".pgpass.bak~",
        ".netrc.gz.old",
        ".netrc-20261117",
        "id_rsa.2026-11-17.gz",
        ".bash_history-20261117.bak",
        "credentials.1.json",
        "secrets-2026-11-17.yml",
        "id_dsa.xz",
        ".envrc.local",
        ".ssh/notes.md",
        ".gnupg/options.example",
        "project.git/config",
        ".git/modules/lib/config",
        ".hg/hgrc",
        "run/containers/0/auth.json",
        ".kube/config-prod",
        "etc/kubernetes/admin.conf",
        "application_default_credentials.json",
        "serviceAccountKey.json",
        "me_accessKeys.csv",
        "terraform.tfstate.1700000000.backup",
        ".config/openstack/clouds.yaml",
        ".config/hcloud/cli.toml",
        ".config/NuGet/NuGet.Config",
        ".config/pip/pip.conf",
        ".ivy2/.credentials",
        ".sbt/credentials",
        ".davfs2/secrets",
        ".config/filezilla/sitemanager.xml",
        ".ansible_vault_pass",
        ".supabase/access-token",
        ".anthropic/api_key",
        ".config/io.datasette.llm/keys.json",
        ".config/google-chrome/Default/Cookies",
        ".config/chromium/Profile 1/Network/Cookies",
        ".dbt/profiles.yml",
        ".claude.json",
        ".local/share/opencode/auth.json",
        ".config/configstore/firebase-tools.json",
        ".secrets.toml",
        "sites/default/settings.php",
        "android/key.properties",
        ".zhistory",
        ".duckdb_history",
        ".local/state/bash/history",
        ".zsh_sessions/1.history",
        "Login Data",
        "etc/NetworkManager/system-connections/home.nmconnection",
        "kdewallet.kwl",
        ".electrum/wallets/default_wallet",
        ".envs/.production/.django",
        "token.json",
        "credentials.yml",
        "config/credentials.yaml",
        ".streamlit/credentials.toml",
        "kubeconfig-prod.yaml",
        "kubeconfig-prod.yml",
        "etc/nginx/htpasswd",
        ".vnc/passwd",
        ".filezilla/sitemanager.xml",
        ".svn/auth/svn.simple/x",
        "Library/Application Support/Google/Chrome/Default/Cookies",
        "Library/Application Support/Microsoft Edge/Default/Cookies",
        "Library/Application Support/BraveSoftware/Brave-Browser/Default/Login Data",
        "Library/Cookies/Cookies.binarycookies",
        "AppData/Local/Google/Chrome/User Data/Default/Network/Cookies",
        "AppData/Local/Microsoft/Edge/User Data/Default/Login Data For Account",
        ".config/BraveSoftware/Brave-Browser/Default/Cookies",
        ".config/microsoft-edge/Default/Cookies",
        ".mozilla/firefox/x.default/cookies.sqlite-wal",
        "config/secrets.yaml",
    ],
)
def test_secrets_are_denied_from_the_start(relative: str) -> None:
    assert denying_pattern(Policy(), relative) is not None


@pytest.mark.parametrize(
    "relative",
    [
        "",
        "README.md",
        ".env.example",
        "app/.env.sample",
        ".env.template",
        ".env.dist",
        "environment.py",
        "src/env.ts",
        "id_rsa.pub",
        "keyboard.c",
        "monkey.py",
        "key",
        "docker/config.json",
        "aws/config",
        "kube/config",
        "tests/test_pem.py",
        ".gitignore",
        "ssh/config",
        ".env/lib/python3.11/site.py",
        ".env/bin/activate",
        ".env.d.ts",
        ".env.example.md",
        "src/.env.ts",
        "id_rsa/readme",
        "docs/.netrc/x",
        "auth.json",
        "keystore.py",
        "history",
        "gitconfig",
        "cacert.pem",
        "public.key",
        "slides.key",
        ".env.production.sample",
        ".env-example",
        "example.tfvars",
        ".dev.vars.example",
        "client_secret.example.json",
        "notes (1).txt",
        "a copy.txt",
        "a copy 2.txt",
        "1. notes",
        "2. ",
        "Copy of notes.txt",
        ".env.example copy",
        ".env.test.template~",
        "(1)",
        " copy",
        "app-2026-11-17.log",
        "app.1.json",
        ".secrets.baseline",
        "version_history",
        ".git/HEAD",
        "src/git/config",
        "clouds.yaml",
        ".claude/settings.json",
        "templates/secret.yaml",
        "chart/templates/secrets.yaml",
        "templates/sub/secrets.yml",
        ".npmrc",
        ".yarnrc.yml",
        "tokens.json",
        "src/chromium/net/cookies.cc",
        "containers/auth.go",
        "k3s.md",
        "cookies.py",
        "pip.conf.md",
    ],
)
def test_ordinary_files_are_not(relative: str) -> None:
    assert denying_pattern(Policy(), relative) is None


def test_every_built_in_pattern_has_a_reason_and_can_be_allowed() -> None:
    for table in (BUILT_IN_DENY, BUILT_IN_ALLOW):
        for pattern, reason in table.items():
            check_pattern(pattern)
            assert reason
    for pattern in BUILT_IN_DENY:
        name = pattern.removeprefix("**/").replace("*", "x").replace("?", "0")
        path = f"{name}file" if name.endswith("/") else name
        assert denying_pattern(Policy(), path) is not None, path
        assert denying_pattern(Policy(allow=[f"/{path}"]), path) is None, path


def test_built_in_patterns_judge_the_whole_path_and_no_others_do() -> None:
    policy = Policy(deny=["home/"], workspace_deny=["me/"], roots=["/home/me/.aws", "/srv/.kube"])
    assert denying_pattern(policy, "credentials") == "**/.aws/credentials"
    assert denying_pattern(policy, "config") == "**/.aws/config"
    assert denying_pattern(policy, "notes.txt") is None
    assert denying_pattern(Policy(roots=["/home/me/.ssh"]), "known_hosts") == ".ssh/"
    assert denying_pattern(Policy(roots=["/srv/.env"]), "lib/site.py") is None
    assert denying_pattern(Policy(allow=["/credentials"], roots=["/home/me/.aws"]), "credentials") is None


def test_a_file_that_was_compressed_is_judged_by_its_own_name_too() -> None:
    policy = Policy(deny=["*.log"], workspace_deny=["plans.txt"])
    assert denying_pattern(policy, "a.log.gz") == "*.log"
    assert denying_pattern(policy, "plans.txt.GZ") == "plans.txt"
    assert denying_pattern(policy, "a.log.zst") == "*.log"
    assert denying_pattern(policy, "notes.txt.gz") is None


def test_where_the_policy_is_not_known_everything_is_denied() -> None:
    policy = Policy(allow=["**"], workspace_deny=["x"], closed_by="forge.toml, line 3: broken")
    for path in ("a.txt", "", "a/"):
        with pytest.raises(ReadError, match=r"forge\.toml, line 3: broken") as caught:
            policy.check(path, asked=path)
        assert caught.value.code == ErrorCode.POLICY_DENIED
    assert denying_pattern(policy, "x") == "x", "the patterns that are known are named"
    assert policy.denies_all_below("")


def test_a_users_pattern_denies_by_its_own_name() -> None:
    assert denying_pattern(Policy(deny=["private/"]), "a/private/x") == "private/"


def test_a_users_exception_beats_the_users_and_the_built_in_patterns() -> None:
    policy = Policy(deny=["*.log"], allow=["/ok/", "test.p12"])
    assert denying_pattern(policy, "ok/a.log") is None
    assert denying_pattern(policy, "ok/.env") is None
    assert denying_pattern(policy, "x/test.p12") is None
    assert denying_pattern(policy, "a.log") == "*.log"
    assert denying_pattern(policy, "real.p12") == "*.p12"


def test_a_workspaces_pattern_beats_every_exception() -> None:
    policy = Policy(allow=["**"], workspace_deny=["drafts/", ".env.example"])
    assert denying_pattern(policy, "drafts/x") == "drafts/"
    assert denying_pattern(policy, ".env.example") == ".env.example"
    assert denying_pattern(policy, ".env") is None


def test_built_in_exceptions_concern_built_in_patterns_alone() -> None:
    assert denying_pattern(Policy(deny=[".env.*"]), ".env.example") == ".env.*"


def test_a_pattern_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot start with"):
        Policy(deny=["!x"])


def test_a_refusal_names_path_pattern_and_reason() -> None:
    with pytest.raises(PolicyDenied) as caught:
        Policy().check("app/.env", asked="app/.env")
    error = caught.value
    assert (error.code, error.path) == (ErrorCode.POLICY_DENIED, "app/.env")
    assert error.reason.endswith("the pattern '.env' (environment variables of a deployment: passwords, tokens)")
    with pytest.raises(PolicyDenied, match=r"the pattern 'x'; only the user can allow it$"):
        Policy(deny=["x"]).check("x", asked="x")


def test_only_the_user_is_told_how_to_allow_a_file() -> None:
    with pytest.raises(PolicyDenied) as caught:
        Policy().check('a"b/.env', asked="link")
    error = caught.value
    assert error.data()["hint"] == "only the user can allow it"
    assert 'add "/a\\"b/.env" to policy.allow' in error.how_to_allow
    assert "policy.allow" not in str(error.data())
    assert denying_pattern(Policy(allow=['/a"b/.env']), 'a"b/.env') is None


def test_a_refusal_of_what_a_link_leads_to_names_the_path_asked_for() -> None:
    with pytest.raises(ReadError, match="leads to") as caught:
        Policy().check("secrets/.env", asked="innocent.txt")
    assert caught.value.path == "innocent.txt"


def test_a_workspaces_refusal_says_who_decides() -> None:
    with pytest.raises(PolicyDenied) as caught:
        Policy(workspace_deny=["x"]).check("x", asked="x")
    assert caught.value.hint == "only the user can allow it"
    assert "policy.deny" in caught.value.how_to_allow


def test_what_may_be_read_passes() -> None:
    assert Policy().denial("README.md") is None


def test_judgements_stay_right_however_many_paths_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_module, "_MAX_CACHED_PATHS", 4)
    policy = Policy(deny=["odd*"])
    for _ in range(2):
        for number in range(10):
            assert denying_pattern(policy, f"{number}/odd") == "odd*"
            assert denying_pattern(policy, f"{number}/even") is None
    assert denying_pattern(policy, "a/" * 2000 + ".env") == ".env"
    assert policy._cached_denial.cache_info().currsize <= 4


@pytest.mark.parametrize(
    ("directory", "policy"),
    [
        ("home/.ssh", Policy()),
        ("home/.ssh/deeper/still", Policy()),
        ("", Policy(roots=["/home/me/.ssh"])),
        ("build", Policy(deny=["build/"])),
        ("x/build", Policy(deny=["build"])),
        ("build", Policy(deny=["/build/**"])),
        ("build", Policy(workspace_deny=["build/"], allow=["**"])),
        ("build", Policy(deny=["build/"], allow=["/docs/**"])),
    ],
)
def test_a_walk_need_not_enter_a_directory_in_which_nothing_is_allowed(directory: str, policy: Policy) -> None:
    assert policy.denies_all_below(directory)
    assert policy.denial(f"{directory}/x/y") is not None


@pytest.mark.parametrize(
    ("directory", "policy"),
    [
        ("", Policy(deny=["x"])),
        ("src", Policy()),
        (".env", Policy()),
        ("build", Policy(deny=["/build/*.o"])),
        ("build", Policy(deny=["build/"], allow=["/build/keep/"])),
        ("build", Policy(deny=["build/"], allow=["*.txt"])),
        (".ssh", Policy(allow=["*.pub"])),
    ],
)
def test_a_walk_enters_a_directory_in_which_something_may_be_allowed(directory: str, policy: Policy) -> None:
    assert not policy.denies_all_below(directory)
