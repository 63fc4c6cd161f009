import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import type { ZodError } from 'zod';
import { decodeNewerRelease } from '#contract/bundle/decode-release.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { siteFile } from '#contract/server-paths.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { applyVariables } from '#contract/site/variables.ts';
import { parseJson } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import { syntaxProblem } from '#editor/settings-file.ts';
import { explain } from '#explain/explain.ts';
import { parseYaml } from '#yaml/parse.ts';
import { readText } from './host/files.ts';
import type { Host } from './host/host.ts';
import { inspectServer } from './host/server.ts';
import type { Context } from './stage/stage.ts';

/** The input of stages without the reporter. */
export type Facts = Omit<Context, 'report'>;

/**
 * Reads the site and the release of this server and inspects the server.
 * @param releaseFolder absolute path of the verified, unpacked release
 * @throws LandfallError STATE_INVALID, BUNDLE_MANIFEST
 */
export async function loadFacts(host: Host, releaseFolder: string): Promise<Facts> {
  const [release, site, server] = await Promise.all([
    readRelease(releaseFolder),
    readSite(host),
    inspectServer(host.root),
  ]);
  const node = isEngineNode(site) && { slots: site.engine_node?.slots ?? 1, engineOnly: true };
  return { host, ...release, site, server: { ...server, ...node }, releaseFolder };
}

/** The bootstrap or the updater has verified the signature. The manifest may be newer than this program. */
async function readRelease(folder: string): Promise<Pick<Context, 'release' | 'ignoredFields'>> {
  const { release, ignored } = decodeNewerRelease(await readFile(join(folder, 'release.json')));
  return { release, ignoredFields: ignored };
}

/** Returns the site of this server. @throws LandfallError STATE_INVALID for an invalid one */
export async function readSite(host: Host): Promise<Site> {
  const text = (await readText(host, siteFile)) ?? '';
  const parsed = siteSchema.safeParse(parseJson(text));
  if (parsed.success) return applyVariables(parsed.data);
  throw new LandfallError(
    'STATE_INVALID',
    inLanguage({ en: `/${siteFile} is not a valid site`, zh: `/${siteFile} 不是有效的站点配置` }),
    {
      hint: {
        en: `Fix the file with \`sudoedit /${siteFile}\`, or create new user-data with \`landfall user-data\`.`,
        zh: `用 \`sudoedit /${siteFile}\` 修改文件，或用 \`landfall user-data\` 生成新的 user-data。`,
      },
      problems: problemsOf(text, parsed.error),
    },
  );
}

/** Returns the problems in the words of the builder: positions, causes and the nearest valid key. */
function problemsOf(text: string, error: ZodError): Problem[] {
  const path = `/${siteFile}`;
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  if (errors.length > 0) return errors.map((each) => syntaxProblem(text, path, each));
  // JSON is YAML, and the parser of YAML knows the positions of keys and values.
  return explain(error, parseYaml(Buffer.from(text), path), siteSchema);
}
