import { z } from 'zod';
import { versionSchema } from '#contract/bundle/version.ts';

const url = z
  .string()
  .max(1024)
  .regex(
    /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])[A-Za-z0-9._~:/?#[\]@!&()*+,;=%{}-]+$/,
    'must be an https URL; {version}, {machine} and {arch} are replaced',
  );

const placeholders =
  '{version}, {machine} (x86_64, aarch64) and {arch} (amd64, arm64) are replaced';

/** Returns the schema of the download URLs of a program, with a default. */
function downloadUrls(source: string) {
  return z.array(url).min(1).max(8).default([source]).describe(`Download URLs; ${placeholders}.`);
}

/** Docker's Compose plugin for the server. */
export const composePlugin = z
  .strictObject({
    version: versionSchema.default('5.6.0').describe('Version of the Compose plugin.'),
    urls: downloadUrls(
      'https://github.com/docker/compose/releases/download/v{version}/docker-compose-linux-{machine}',
    ),
  })
  .prefault({})
  .describe("Docker's Compose plugin for the server.");

/** The proxy clients that a bundle carries. */
export const clients = z
  .strictObject({
    'sing-box': z
      .strictObject({
        version: versionSchema.default('1.14.4').describe('Version of sing-box.'),
        urls: downloadUrls(
          'https://github.com/SagerNet/sing-box/releases/download/v{version}/sing-box-{version}-linux-{arch}.tar.gz',
        ),
      })
      .describe('sing-box, the tarball of its release. Its license is GPL-3.0-or-later.'),
  })
  .optional()
  .describe('Proxy clients for sites with route.mode client. Default: none.');
