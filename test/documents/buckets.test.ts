import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { backup } from '#contract/site/backup/targets.ts';
import { repositoryOf } from '../../appliance/operations/backup/repository.ts';
import { parseUploadTarget } from '../../builder/deliver/hosting/upload/upload-target.ts';
import { TemporaryHost } from '../appliance/temporary-host.ts';

const textOf = (page: string) => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
const secrets = {
  'etc/landfall/secrets/backup-s3-id': 'id',
  'etc/landfall/secrets/backup-s3-secret': 'secret',
};

/** Returns a pattern's groups for each row of a page's table of clouds. */
function rows(page: string, pattern: RegExp): Record<string, string>[] {
  return [...textOf(page).matchAll(pattern)].map(({ groups = {} }) => groups);
}

describe.each(['docs/backup.md', 'docs/zh/backup.md'])('the clouds of %s', (page) => {
  const clouds = rows(page, /^\| [^|]+ \| `(?<url>https:[^`]+)` \| `(?<line>restic [^`]+)` \|$/gm);

  it('shows an example of each cloud', () => {
    expect(clouds).toHaveLength(5);
  });

  it.each(clouds)('reaches them with restic as a server does: $url', async ({ url, line }) => {
    const [target] = backup.parse({ to: [{ kind: 's3', url }] })?.to ?? [];
    if (!target) throw new Error('no target');
    const host = TemporaryHost.with(secrets);
    const repository = await repositoryOf(host, { route: { mode: 'direct' } }, target);
    expect(`restic ${[...repository.options, '-r', repository.url].join(' ')}`).toBe(line);
  });
});

describe.each(['docs/delivery/upload.md', 'docs/zh/delivery/upload.md'])('%s', (page) => {
  it('names a URL of a console that --to accepts', () => {
    const [, url = ''] = /--to (https:\S+)/.exec(textOf(page)) ?? [];
    expect(parseUploadTarget(url)).toMatchObject({ type: 's3', bucket: 'releases-125' });
  });
});
