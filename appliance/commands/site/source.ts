import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { siteFile, siteTextFile } from '#contract/server-paths.ts';
import { briefSite } from '#contract/site/brief-site.ts';
import type { Site } from '#contract/site/site.ts';
import { readAtMost } from '#contract/text/bytes.ts';
import { readJson } from '#contract/text/json.ts';
import { say } from '#contract/text/language.ts';
import { parseSite } from '#explain/parse-site.ts';
import { siteText } from '#explain/site-text.ts';
import { fileError } from '#files/file-error.ts';
import { decodeText } from '#yaml/decode-text.ts';
import { maxYamlBytes, parseYaml } from '#yaml/parse.ts';
import { readText, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';

/** A site, and the text with comments that describes it. */
export interface SiteSource {
  readonly site: Site;
  readonly text: string;
}

/**
 * Parses a site as the builder does, so that errors have the same words and positions.
 * @param name of the file, for messages
 * @throws LandfallError CONFIG_…, SITE_SECRET with the line and column of each problem
 */
export function parseSource(bytes: Uint8Array, name: string): SiteSource {
  // The site stays on this server, so a proxy may have its password.
  const site = parseSite(parseYaml(bytes, name), {
    ...{ allowRoutePassword: true, reference: '`sudo landfall site fields`' },
  });
  const text = decodeText(bytes, name);
  // JSON has no comments, and would replace those of site.yaml.
  return { site, text: /^\s*\{/.test(text) ? siteText(briefSite(site)) : text };
}

/**
 * Reads a site.
 * @param file path, or `-` for standard input; default: site.yaml of this server
 * @throws LandfallError CONFIG_…, SITE_SECRET, FILE_…
 */
export async function readSource(host: Host, file: string | undefined): Promise<SiteSource> {
  if (file === undefined) return parseSource(Buffer.from(await currentText(host)), siteName);
  if (file === '-') {
    return parseSource(
      await readAtMost(process.stdin, maxYamlBytes + 1),
      say('standard input', '标准输入'),
    );
  }
  const bytes = await readFile(resolve(file)).catch((error: unknown) => {
    throw fileError(error, file);
  });
  return parseSource(bytes, file);
}

/** What messages call the file of this server. */
export const siteName = `/${siteTextFile}`;

/** Returns site.yaml of this server; without one, that of its JSON. */
export async function currentText(host: Host): Promise<string> {
  return (await readText(host, siteTextFile)) ?? (await renderedText(host));
}

/** Writes site.yaml if there is none. */
export async function ensureSiteText(host: Host): Promise<void> {
  if ((await readText(host, siteTextFile)) !== undefined) return;
  await saveText(host, await renderedText(host));
}

/** Replaces site.yaml, for a text that describes the same site. */
export async function saveText(host: Host, text: string): Promise<void> {
  await writeText(host, siteTextFile, text, { mode: 0o600 });
}

async function renderedText(host: Host): Promise<string> {
  const fields = readJson(z.record(z.string(), z.unknown()), await readText(host, siteFile));
  return siteText(fields ?? {});
}
