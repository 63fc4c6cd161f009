import type { ServerFile } from './server-file.ts';

/** One more than the keys of an item, which have one more than its dash: the least that YAML takes. */
const indent = '  ';

/**
 * A cloud-config that writes files and starts the unit. Files stand in it as literal block scalars
 * (YAML 1.2, section 8.1.2), word for word, so a person can read them before pasting.
 *
 * `locale` names the one locale that every image has: cloud-init's own choice, en_US.UTF-8, is not
 * generated on slim Debian 12 images, where it makes the whole run count as failed.
 */
export function cloudConfig(comment: readonly string[], files: readonly ServerFile[]): string {
  return [
    '#cloud-config',
    ...comment.map((line) => `# ${line}`),
    'locale: C.UTF-8',
    'write_files:',
    ...files.map(writeFile),
    'runcmd:',
    '- systemctl enable --now --no-block landfall-boot.service',
    '',
  ].join('\n');
}

/** The content ends with one line break, which is what `|` keeps. */
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
