import { Command } from 'commander';
import type { CommandContext } from '../../actions/context.ts';
import type { UploadFlags } from '../../actions/delivery/upload.ts';

const example = `
Example:
  landfall upload dist --to s3://my-bucket/landfall/1.0.0 --endpoint https://s3.example.com \\
    --public-url https://downloads.example.com/landfall/1.0.0/
  landfall upload dist --to sftp://me@203.0.113.7/srv/www/landfall

Files with the same size and SHA-256 are kept, and interrupted uploads are resumed. Keys of a bucket
are read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the profile in ~/.aws. SFTP uses the
programs and settings of OpenSSH. Manifests are uploaded last. Run \`landfall verify\` before.
`;

/** `landfall upload`: uploads a release to a bucket or over SFTP. */
export function uploadCommand(context: CommandContext): Command {
  return new Command('upload')
    .description('upload a release to an S3 bucket or over SFTP, and check its URL')
    .argument('<source>', 'output folder of `landfall build`, or a bundle')
    .requiredOption('--to <url>', 's3://bucket/folder or sftp://user@host/folder')
    .option('--endpoint <url>', 'S3 endpoint (default: AWS_ENDPOINT_URL_S3, or AWS)')
    .option('--region <name>', 'region of the bucket (default: AWS_REGION, or us-east-1)')
    .option('--virtual-host', 'put the bucket into the host name of the endpoint')
    .option('--ssh-config <file>', 'configuration file of ssh (default: ~/.ssh/config)')
    .option('--public-url <url>', 'URL of the folder for servers; it is checked after the upload')
    .option('--proxy <url>', 'use this proxy for HTTP (default: HTTPS_PROXY)')
    .option(
      '--ca <file>',
      'also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)',
    )
    .option('--quiet', 'print only errors')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(async (source: string, flags: UploadFlags) => {
      const { uploadAction } = await import('../../actions/delivery/upload.ts');
      await uploadAction(context, source, flags);
    });
}
