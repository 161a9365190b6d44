"""The files that are secret by their name, by the reason that is shown in the error. Settings can allow any of them.

A pattern that ends in `/` is a directory and covers everything in it. Any other is a file: a directory of the same
name, such as a virtual environment called `.env`, is not meant. Copies (`.env~`, `id_rsa.bak`, `.id_rsa.swp`,
`#id_rsa#`, `credentials (1).json`), rotated files (`.netrc-20261117`) and compressed ones (`.env.gz`) are judged by the
original's name too.

Certificates and keys (`*.pem`, `*.key`, `*.crt`) are missing here on purpose, and so are `.npmrc` and `.yarnrc.yml`:
those are judged by what is in them (`private_keys.py`).
"""

_DENIED = {
    "environment variables of a deployment: passwords, tokens": """
        .env, .env.*, .env-*, .env_*, *.env, .envs/, .envrc, .envrc.*, .flaskenv, .dev.vars, .dev.vars.*
    """,
    "the environment of a process: passwords, tokens": """
        **/proc/*/environ, **/proc/*/task/*/environ
    """,
    "a private key": """
        id_rsa, id_dsa, id_ecdsa, id_ecdsa_sk, id_ed25519, id_ed25519_sk, id_xmss, ssh_host_*_key,
        *.p8, *.pk8, *.pvk, *.ppk, *.agekey, **/sops/age/keys.txt, secring.gpg, secring.pgp, *.keytab
    """,
    "private keys, and which machines they open": ".ssh/",
    "a store of private keys": """
        .gnupg/, *.p12, *.pfx, *.pkcs12, *.jks, *.jceks, *.keystore, *.bks, *.keychain, *.keychain-db
    """,
    "the private keys of a wallet": """
        wallet.dat, **/.electrum/wallets/, **/.ethereum/keystore/, **/solana/id.json
    """,
    "a store of passwords": """
        *.kdb, *.kdbx, *.agilekeychain/, *.opvault/, .password-store/, **/share/keyrings/*.keyring,
        *.kwl, *.psafe3, *.1pif
    """,
    "the passwords and sessions that a browser keeps": """
        logins.json, key3.db, key4.db, cookies.sqlite*, Login Data, Login Data-journal, Login Data For Account,
        Cookies.binarycookies, **/User Data/**/Cookies,
        **/google-chrome*/**/Cookies, **/Google/Chrome*/**/Cookies, **/chromium/**/Cookies,
        **/microsoft-edge*/**/Cookies, **/Microsoft Edge*/**/Cookies, **/BraveSoftware/**/Cookies,
        **/vivaldi/**/Cookies, **/opera/**/Cookies, **/com.operasoftware.*/**/Cookies, **/Opera Software/**/Cookies
    """,
    "passwords in plain text": """
        .netrc, _netrc, .authinfo, .authinfo.gpg, .htpasswd, htpasswd, .credentials, .git-credentials,
        **/.config/git/credentials, **/.subversion/auth/, **/.svn/auth/, **/.sbt/credentials, .smbcredentials,
        **/.davfs2/secrets, .filezilla/, **/filezilla/sitemanager.xml, **/filezilla/recentservers.xml, **/.vnc/passwd,
        .msmtprc, .fetchmailrc, .mbsyncrc, .offlineimaprc, sasl_passwd,
        .vault_pass, .vault_pass.txt, vault_pass.txt, .vault_password, .ansible_vault_pass, .vault-password,
        .vault-token, **/etc/shadow, **/etc/shadow-, **/etc/gshadow, **/etc/gshadow-, **/etc/ppp/*-secrets,
        ipsec.secrets, unattend.xml, autounattend.xml
    """,
    "who may become root": "**/etc/sudoers, **/etc/sudoers.d/",
    "remotes, often with a token in their address": """
        **/.git/config, **/*.git/config, **/.git/modules/**/config, .hgrc, **/.hg/hgrc
    """,
    "the password of a database": """
        .pgpass, pgpass.conf, .pg_service.conf, .my.cnf, .mylogin.cnf, **/.snowsql/config,
        **/.snowflake/connections.toml, **/.snowflake/config.toml, **/.dbt/profiles.yml, credentials-config.json,
        .databrickscfg
    """,
    "the token of a package registry": """
        .pypirc, **/.cargo/credentials, **/.cargo/credentials.toml, **/.gem/credentials, **/.bundle/config,
        **/.m2/settings.xml, **/.m2/settings-security.xml, **/.gradle/gradle.properties, **/.nuget/NuGet.Config,
        **/NuGet/NuGet.Config, **/.composer/auth.json, **/composer/auth.json, **/.config/pypoetry/auth.toml,
        **/.hex/hex.config, **/pip/pip.conf, **/.pip/pip.conf, **/pip/pip.ini, **/.jfrog/jfrog-cli.conf*,
        **/helm/registry/config.json, **/helm/registry.json
    """,
    "the login of a cloud account": """
        .s3cfg, .boto, .passwd-s3fs, rclone.conf, .rclone.conf,
        **/.aws/credentials, **/.aws/config, **/.aws/cli/cache/, **/.aws/sso/cache/,
        **/.azure/accessTokens.json, **/.azure/azureProfile.json, **/.azure/msal_token_cache.*,
        **/.azure/service_principal_entries.*, **/gcloud/access_tokens.db, **/gcloud/credentials.db,
        application_default_credentials.json, **/gcloud/legacy_credentials/, **/.gsutil/credstore*,
        **/.oci/config, **/.oci/sessions/, **/.aliyun/config.json, **/doctl/config.yaml, **/.bluemix/config.json,
        **/.ibmcloud/config.json, **/hcloud/cli.toml, **/.config/linode-cli, **/scw/config.yaml, .ovh.conf,
        **/openstack/clouds.y*ml, **/openstack/secure.y*ml, **/.mc/config.json,
        credentials.json, credentials.csv, credentials.yml, credentials.yaml, credentials.toml, token.json,
        *_credentials.csv, *accessKeys.csv, rootkey.csv, client_secret*.json, service-account*.json,
        service_account*.json, serviceAccount*.json, *-service-account*.json, *firebase-adminsdk*.json
    """,
    "logins of container registries or clusters": """
        .dockercfg, **/.docker/config.json, .dockerconfigjson, **/containers/auth.json, **/containers/*/auth.json,
        **/.kube/config*, **/etc/kubernetes/*.conf, k3s.yaml, kubeconfig, *.kubeconfig, kubeconfig.y*ml,
        kubeconfig-*.y*ml, kubeconfig.json
    """,
    "the token of a code host or deployment service": """
        **/gh/hosts.yml, **/.config/hub, **/glab-cli/config.yml, **/.config/op/config, **/.fly/config.yml,
        **/.netlify/config.json, **/.config/netlify/config.json, **/com.vercel.cli/auth.json,
        **/.wrangler/config/default.toml, **/.heroku/credentials, **/.circleci/cli.yml, **/.railway/config.json,
        **/configstore/firebase-tools.json, **/.cloudflared/*.json, **/ngrok/ngrok.yml, **/.ngrok2/ngrok.yml,
        **/.supabase/access-token, **/.config/stripe/config.toml, **/.twilio-cli/config.json, .sentryclirc
    """,
    "the token of a model provider or model hub": """
        **/.claude/.credentials.json, .claude.json, **/.codex/auth.json, **/.gemini/oauth_creds.json,
        **/.qwen/oauth_creds.json, **/opencode/auth.json, **/.config/anthropic/credentials*, **/.openai/api_key,
        **/.anthropic/api_key, **/io.datasette.llm/keys.json, **/github-copilot/hosts.json,
        **/github-copilot/apps.json, **/huggingface/token, **/huggingface/stored_tokens, **/.huggingface/token,
        kaggle.json
    """,
    "infrastructure with its secrets in plain text": """
        *.tfstate, *.tfstate.*backup, *.tfvars, *.tfvars.json, .terraformrc, terraform.rc, credentials.tfrc.json,
        **/.pulumi/credentials.json
    """,
    "the secrets of an application": """
        secrets.yml, secrets.yaml, secrets.json, secrets.toml, .secrets, .secrets.json, .secrets.toml, .secrets.y*ml,
        **/config/master.key, **/config/credentials/*.key, local.settings.json, wp-config.php, LocalSettings.php,
        **/sites/*/settings.php, **/sites/*/settings.local.php, **/app/etc/env.php, key.properties,
        keystore.properties
    """,
    "what was typed, passwords included": """
        .*_history, .history, .histfile, .zhistory, .irb-history, .Rhistory, fish_history, python_history,
        .bash_sessions/, .zsh_sessions/, **/.local/state/*/history, .mongosh/, .dbshell, .viminfo,
        ConsoleHost_history.txt
    """,
    "the cookie or ticket of a session": ".Xauthority, .ICEauthority, krb5cc_*",
    "the key of a private or wireless network": """
        **/wireguard/*.conf, wg?.conf, wg??.conf, *.nmconnection, wpa_supplicant*.conf
    """,
}

_ALLOWED = {
    "a template without values": """
        *.example, *.sample, *.template, *.dist, *.example.json, .env.example.*, .env.sample.*, .env?example,
        .env?sample, example.env, sample.env, template.env, example.tfvars
    """,
    "a template of Helm, which takes the values from elsewhere": "**/templates/**/secrets.y*ml",
    "defaults that are checked in": ".env.defaults",
    "names or types of the variables, not their values": ".env.schema, .env.d.ts",
    "source code": ".env.ts, .env.js, .env.mjs",
    "prose": "*.md",
}


def _reasons(patterns_by_reason: dict[str, str]) -> dict[str, str]:
    return {
        pattern.strip(): reason for reason, patterns in patterns_by_reason.items() for pattern in patterns.split(",")
    }


BUILT_IN_DENY = _reasons(_DENIED)
"""Each pattern with its reason."""

BUILT_IN_ALLOW = _reasons(_ALLOWED)
"""Exceptions to the built-in list alone, and there to patterns of files: in a secret directory everything is one."""
