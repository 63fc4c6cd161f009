import { resolve } from 'node:path';
import type { NetworkOptions } from '#http/options.ts';
import type { Reporter } from '../../../base/progress/reporter.ts';
import type { Destination } from './destination.ts';
import { BucketFolder } from './s3/bucket-folder.ts';
import { S3Client } from './s3/s3-client.ts';
import { s3Settings } from './s3/settings.ts';
import { SftpFolder } from './sftp/sftp-folder.ts';
import { SftpSession } from './sftp/sftp-session.ts';
import type { UploadTarget } from './upload-target.ts';

/** Options that select and reach a destination. */
export interface DestinationFlags {
  readonly endpoint?: string;
  readonly region?: string;
  readonly virtualHost?: boolean;
  readonly sshConfig?: string;
}

interface Surroundings {
  readonly context: {
    readonly env: NodeJS.ProcessEnv;
    readonly cwd: string;
  };
  readonly network: NetworkOptions;
  readonly reporter: Reporter;
}

/** Opens the folder that `--to` names. @throws LandfallError USAGE for missing keys or an endpoint */
export async function openDestination(
  target: UploadTarget,
  flags: DestinationFlags,
  { context, network, reporter }: Surroundings,
): Promise<Destination> {
  const { env, cwd } = context;
  const retry = { note: (line: string) => reporter.note(line) };
  if (target.type === 's3') {
    const client = new S3Client(await s3Settings(target, flags, env), network);
    return new BucketFolder(client, target.prefix, retry);
  }
  const configFile = flags.sshConfig === undefined ? undefined : resolve(cwd, flags.sshConfig);
  const session = await SftpSession.open(target, { env, configFile });
  return new SftpFolder(session, target.path, retry);
}
