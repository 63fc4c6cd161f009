import { z } from 'zod';
import { type S3Target, s3TargetOf } from '../../s3-target.ts';
import { isHostAndPort } from '../network/plain-host.ts';
import { bareUrl } from '../urls.ts';

/** A path that no program interprets: of a folder here, or on an SFTP server. */
const path = z
  .string()
  .max(512)
  .regex(
    /^\/[\w@.-][\w@./-]*$/,
    'must be an absolute path of letters, digits and _ @ . / -, such as /mnt/backup',
  )
  .refine(
    (text) => !/\/\/|\/$|\/\.\.?(?:\/|$)/.test(text),
    'must have no //, no .. and no / at the end',
  );

const kindMeaning = 'What the target is.';

const target = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('folder').describe(kindMeaning),
    path: path.describe('A folder on another disk, which must exist.'),
  }),
  z.strictObject({
    kind: z.literal('sftp').describe(kindMeaning),
    host: z
      .string()
      .max(253)
      .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, 'must be a host name such as backup.example.com')
      .refine(isHostAndPort, 'must be a host name such as backup.example.com')
      .describe('The SSH server.'),
    port: z.int().min(1).max(65535).default(22).describe('Its port.'),
    user: z
      .string()
      .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/, 'must be a user name')
      .describe('The user there. Its key is made on this server.'),
    path: path.describe('The folder there.'),
  }),
  z
    .strictObject({
      kind: z.literal('s3').describe(kindMeaning),
      url: bareUrl
        .refine((text) => text.startsWith('https:'), 'must be https')
        .describe(
          'Server, bucket and folder: https://s3.example.com/bucket/landfall. Or the URL of the bucket that the console of Tencent Cloud, Alibaba Cloud, Huawei Cloud, Volcengine or AWS shows.',
        ),
      region: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/, 'must be the name of a region')
        .optional()
        .describe(
          'Its region. Default: that in the host name of these clouds, else the store is asked.',
        ),
      virtual_host: z
        .boolean()
        .optional()
        .describe(
          'Whether requests have the bucket in the host name, for stores that refuse it in the path. Default: what these clouds need, else false.',
        ),
    })
    .refine((bucket) => bucketOf(bucket) !== undefined, {
      path: ['url'],
      error: 'must have the bucket as the first folder, or in the host name of a known cloud',
    }),
]);

/** Where the server stores its backups. */
export type BackupTarget = z.infer<typeof target>;

interface BucketSettings {
  readonly url: string;
  readonly region?: string | undefined;
  readonly virtual_host?: boolean | undefined;
}

/** Returns how a bucket is reached; undefined if its URL has none. */
export function bucketOf(settings: BucketSettings): S3Target | undefined {
  const { url, region, virtual_host: isVirtualHost } = settings;
  return s3TargetOf(url, { region, isVirtualHost });
}

const count = (what: string) =>
  z.int().min(0).max(1000).describe(`Number of ${what} backups that stay.`);

export const backup = z
  .strictObject({
    to: z
      .array(target)
      .min(1)
      .max(3)
      .refine(
        (targets) => new Set(targets.map(({ kind }) => kind)).size === targets.length,
        'has two targets of one kind',
      )
      .describe('Where backups are stored. Each target gets all of them.'),
    at: z
      .string()
      .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 03:10')
      .default('03:10')
      .describe("When the daily backup begins, in the server's time zone."),
    keep: z
      .union(
        [
          z.literal('never'),
          z.strictObject({
            daily: count('daily').default(7),
            weekly: count('weekly').default(4),
            monthly: count('monthly').default(12),
          }),
        ],
        'must be never, or numbers of daily, weekly and monthly backups',
      )
      .default({ daily: 7, weekly: 4, monthly: 12 })
      .describe(
        'Which backups stay. never: the server deletes none, so that one who has taken it over cannot.',
      ),
  })
  .optional()
  .describe('Backups of chats, documents, settings and keys.');

export const restore = z
  .strictObject({
    from: target.describe('The place of the backups: one entry of backup.to of the old server.'),
  })
  .optional()
  .describe(
    'Only for a new server: it waits before its first secrets, until `sudo landfall restore` has brought a backup.',
  );

/** Names of the secrets for a bucket. */
export const bucketSecrets = { id: 'backup-s3-id', secret: 'backup-s3-secret' } as const;

/** Returns the names of the secrets that the administrator sets for the targets of a site. */
export function backupSecrets(site: {
  readonly backup?: z.infer<typeof backup>;
  readonly restore?: z.infer<typeof restore>;
}): string[] {
  const targets = [...(site.backup?.to ?? []), ...(site.restore ? [site.restore.from] : [])];
  return targets.some(({ kind }) => kind === 's3') ? Object.values(bucketSecrets) : [];
}

/** Returns a target as people read it: `sftp to me@backup.example.com:/landfall`. */
export function targetText(target: BackupTarget): string {
  switch (target.kind) {
    case 'folder':
      return target.path;
    case 'sftp':
      return `${target.user}@${target.host}:${target.path}`;
    case 's3':
      return target.url;
  }
}
