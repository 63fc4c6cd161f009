import type { ServerFile } from './server-file.ts';

/** The minimum that YAML requires: one more than the keys of a list item, which are indented by one. */
const indent = '  ';

/**
 * Renders a cloud-config that writes files and starts the unit. Files are literal block scalars
 * (YAML 1.2, section 8.1.2), so that users can read them before pasting.
 *
 * `locale` is C.UTF-8, which every image has. With cloud-init's default, en_US.UTF-8, the run fails on
 * slim Debian 12 images, which do not include that locale.
 * @param certificates certificate authorities in PEM, which cloud-init adds to the system before the
 *   bootstrap starts its first download
 * @param commands commands that run before the bootstrap starts
 */
export function cloudConfig(
  comment: readonly string[],
  files: readonly ServerFile[],
  certificates: readonly string[] = [],
  commands: readonly string[] = [],
): string {
  return [
    '#cloud-config',
    ...comment.map((line) => `# ${line}`),
    'locale: C.UTF-8',
    ...trusted(certificates),
    'write_files:',
    ...files.map(writeFile),
    'runcmd:',
    ...commands.map((command) => `- ${command}`),
    '- systemctl enable --now --no-block landfall-boot.service',
    '',
  ].join('\n');
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
