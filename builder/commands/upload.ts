import { posix, resolve } from 'node:path';
import { Command } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { UploadedFile } from '../deliver/hosting/upload/upload-files.ts';
import type { CommandContext } from './context.ts';
import { readCa } from './network.ts';
import { withCaOption, withOutputOptions } from './options.ts';

const example = {
  en: `
Example:
  landfall upload dist --to s3://my-bucket/landfall/1.0.0 --endpoint https://s3.example.com \\
    --public-url https://downloads.example.com/landfall/1.0.0/
  landfall upload dist --to https://releases-125.cos.ap-guangzhou.myqcloud.com/1.0.0
  landfall upload dist --to sftp://me@203.0.113.7/srv/www/landfall

Files with the same size and SHA-256 are kept, and interrupted uploads are resumed. Keys of a bucket
are read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the profile in ~/.aws. SFTP uses the
programs and settings of OpenSSH. Manifests are uploaded last. Run \`landfall verify\` before.
`,
  zh: `
示例：
  landfall upload dist --to s3://my-bucket/landfall/1.0.0 --endpoint https://s3.example.com \\
    --public-url https://downloads.example.com/landfall/1.0.0/
  landfall upload dist --to https://releases-125.cos.ap-guangzhou.myqcloud.com/1.0.0
  landfall upload dist --to sftp://me@203.0.113.7/srv/www/landfall

大小和 SHA-256 相同的文件会保留，中断的上传会续传。存储桶的密钥取自 AWS_ACCESS_KEY_ID 和
AWS_SECRET_ACCESS_KEY，或 ~/.aws 的配置。SFTP 使用 OpenSSH 的程序和设置。清单最后上传。
请先运行 \`landfall verify\`。
`,
};

/** `landfall upload`: uploads a release to a bucket or over SFTP. */
export function uploadCommand(context: CommandContext) {
  return definition().action((source, flags) => upload(context, source, flags));
}

const definition = () =>
  withOutputOptions(
    withCaOption(
      new Command('upload')
        .description('upload a release to an S3 bucket or over SFTP, and check its URL')
        .argument(
          '<source>',
          'output folder of `landfall build`, a bundle, or the folder above releases',
        )
        .requiredOption(
          '--to <url>',
          's3://bucket/folder, the https URL of a bucket, or sftp://user@host/folder',
        )
        .option('--endpoint <url>', 'S3 endpoint (default: AWS_ENDPOINT_URL_S3, or AWS)')
        .option(
          '--region <name>',
          'region (default: that of the endpoint, AWS_REGION, or us-east-1)',
        )
        .option(
          '--virtual-host',
          'put the bucket into the host name (default: what the cloud of the endpoint needs)',
        )
        .option('--ssh-config <file>', 'configuration file of ssh (default: ~/.ssh/config)')
        .option(
          '--public-url <url>',
          'URL of the folder for servers; it is checked after the upload',
        )
        .option('--proxy <url>', 'use this proxy for HTTP (default: HTTPS_PROXY)'),
    ),
  ).addHelpText('after', inLanguage(example));

type UploadFlags = OptionsOf<typeof definition>;

/**
 * Uploads the files of releases and checks the URL for servers.
 * @throws LandfallError USAGE, FILE_…, BUNDLE_…, UPLOAD_REFUSED, NETWORK_…, USER_DATA_URL
 */
async function upload(context: CommandContext, source: string, flags: UploadFlags): Promise<void> {
  const { hashFiles } = await import('../deliver/hosting/hashed-file.ts');
  const { hostedBundles } = await import('../deliver/hosting/hosted-bundles.ts');
  const { publishedFolders } = await import('../deliver/hosting/published-folders.ts');
  const { describeUpload, uploadJson } = await import('../deliver/hosting/upload/describe.ts');
  const { openDestination } = await import('../deliver/hosting/upload/open-destination.ts');
  const { uploadFiles } = await import('../deliver/hosting/upload/upload-files.ts');
  const { parseUploadTarget, subfolderOf } = await import(
    '../deliver/hosting/upload/upload-target.ts'
  );
  const { chooseReporter } = await import('../base/progress/reporter.ts');
  const { releaseUrls } = await import('../deliver/user-data/boot-settings.ts');
  const { checkUrlsOver, expectServed } = await import('../deliver/user-data/check-urls.ts');
  const target = parseUploadTarget(flags.to);
  const publicUrl = await publicUrlOf(flags.publicUrl);
  const folders = await publishedFolders(resolve(context.cwd, source));
  const releases = await Promise.all(folders.map(({ files }) => hostedBundles(files)));
  const network = { env: context.env, proxy: flags.proxy, ca: await readCa(context, flags.ca) };
  const reporter = chooseReporter(context, flags);
  try {
    const files: UploadedFile[] = [];
    for (const { name: folder, files: found } of folders) {
      const place = folder ? subfolderOf(target, folder) : target;
      await using destination = await openDestination(place, flags, { context, network, reporter });
      const hashed = await hashFiles(found, reporter);
      const uploaded = await uploadFiles(hashed, destination, reporter);
      files.push(...uploaded.map((file) => ({ ...file, name: posix.join(folder, file.name) })));
    }
    const urls = folders.flatMap(({ name }, index) =>
      publicUrl
        ? releaseUrls({ release: [new URL(name, publicUrl).href] }, releases[index] ?? [])
        : [],
    );
    const checks = await checkUrlsOver(network, urls);
    if (flags.json) expectServed(checks);
    const result = { to: flags.to, files, publicUrl, checks };
    const { stdout } = context;
    if (flags.json) stdout.write(`${JSON.stringify(uploadJson(result))}\n`);
    else if (!flags.quiet) stdout.write(describeUpload(result));
    expectServed(checks);
  } finally {
    reporter.close();
  }
}

/** Applies the rules of `release` in site.yaml. @throws LandfallError USAGE */
async function publicUrlOf(text: string | undefined): Promise<URL | undefined> {
  if (text === undefined) return undefined;
  const { webUrl } = await import('#contract/site/urls.ts');
  const { folderUrl } = await import('../deliver/user-data/boot-settings.ts');
  if (webUrl.safeParse(text).success) return folderUrl(text);
  throw new LandfallError('USAGE', '--public-url is not an http or https URL', {
    hint: 'Write, for example, --public-url https://downloads.example.com/landfall/',
  });
}
