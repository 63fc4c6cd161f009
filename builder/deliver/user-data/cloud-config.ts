import type { ServerFile } from './server-file.ts';

/** The minimum that YAML requires: one more than the keys of a list item, which are indented by one. */
const indent = '  ';

/** What user-data does to a server, in any format. */
export interface UserDataContent {
  readonly comment: readonly string[];
  readonly files: readonly ServerFile[];
  /**
   * Certificate authorities in PEM, which are added to the system before the bootstrap starts its
   * first download.
   */
  readonly certificates?: readonly string[];
  /** Commands that run before the bootstrap starts. */
  readonly commands?: readonly string[];
  /** SSH keys of the administrator who sends the bundle; empty if the server downloads it. */
  readonly waitingFor?: readonly string[];
}

/**
 * Renders a cloud-config that writes files and starts the unit. Files are literal block scalars
 * (YAML 1.2, section 8.1.2), so that users can read them before pasting.
 *
 * `locale` is C.UTF-8, which every image has. With cloud-init's default, en_US.UTF-8, the run fails on
 * slim Debian 12 images, which do not include that locale.
 */
export function cloudConfig({
  comment,
  files,
  certificates = [],
  commands = [],
  waitingFor = [],
}: UserDataContent): string {
  return [
    '#cloud-config',
    ...comment.map((line) => `# ${line}`),
    'locale: C.UTF-8',
    ...trusted(certificates),
    ...logins(waitingFor),
    'write_files:',
    ...files.map(writeFile),
    ...runCommands([...commands, ...(waitingFor.length > 0 ? [] : [startBootstrap])]),
    '',
  ].join('\n');
}

/** Starts the bootstrap, without waiting for it. */
export const startBootstrap = 'systemctl enable --now --no-block landfall-boot.service';

function runCommands(commands: readonly string[]): string[] {
  return commands.length === 0 ? [] : ['runcmd:', ...commands.map((command) => `- ${command}`)];
}

/** Lets the administrator log in as cloud-init's own user, while nothing else runs. */
function logins(keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  // Type and key, without the comment, which may be in any language.
  const items = keys.map((key) => `- ${key.split(' ').slice(0, 2).join(' ')}`);
  return ['ssh_authorized_keys:', ...items];
}

function trusted(certificates: readonly string[]): string[] {
  if (certificates.length === 0) return [];
  const items = certificates.map((pem) => [' - |', ...pem.trim().split('\n').map(indented)]);
  return ['ca_certs:', ' trusted:', ...items.flat()];
}

function indented(line: string): string {
  return indent + line;
}

/** Renders a file. `|` keeps the single line break at the end of the content. */
function writeFile({ path, content, secret }: ServerFile): string {
  const lines = content.replace(/\n$/, '').split('\n');
  return [
    '-',
    ` path: ${path}`,
    ...(secret ? [" permissions: '0600'"] : []),
    ' content: |',
    ...lines.map((line) => (line === '' ? '' : indent + line)),
  ].join('\n');
}
