import { releaseSchema } from '#contract/bundle/release.ts';
import { architectures } from '#contract/bundle/release-name.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { bootSettingsFile, siteFile, trustedKeysFolder } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { type PublicKey, readPublicKey } from '#contract/trust/keys.ts';
import { parseSite } from '#explain/parse-site.ts';
import { memberOf } from '#explain/schema-at.ts';
import { parseYamlText } from '#yaml/parse.ts';
import type { BootSettings } from '../user-data/boot-settings.ts';
import { fileAt, type ReadContent } from './content.ts';
import type { Finding } from './finding.ts';

/** A key that user-data makes a server trust. */
interface TrustedKey {
  readonly path: string;
  readonly role: 'release' | 'recovery';
  readonly key: PublicKey;
}

/** What user-data says about itself. Nothing of it is verified. */
export interface PasteFacts {
  /** Undefined if it is not valid. */
  readonly site: Site | undefined;
  /** The JSON of the site; undefined if it is none. */
  readonly rawSite: unknown;
  /** Valid parts of `boot.json`; texts of other ones would end up in what is rendered again. */
  readonly boot: Partial<Pick<BootSettings, 'product' | 'version'>> &
    Pick<BootSettings, 'manifests' | 'parts'>;
  /** The sources in `boot.json`. */
  readonly sources: ReadonlyArray<{ readonly url: string; readonly via: string | undefined }>;
  readonly keys: readonly TrustedKey[];
  readonly findings: readonly Finding[];
}

/** Reads the facts of user-data from its files. */
export function factsOf(content: ReadContent): PasteFacts {
  const boot = parseJson(fileAt(content, `/${bootSettingsFile}`)?.content ?? '');
  const { site, findings } = siteOf(content);
  return {
    site,
    rawSite: parseJson(fileAt(content, `/${siteFile}`)?.content ?? ''),
    boot: bootFacts(boot),
    sources: sourcesIn(boot),
    keys: keysIn(content),
    findings,
  };
}

function siteOf(content: ReadContent) {
  const file = fileAt(content, `/${siteFile}`);
  if (file?.content === undefined) return { site: undefined, findings: [] };
  try {
    const yaml = parseYamlText(file.content, file.path);
    return { site: parseSite(yaml, { allowRoutePassword: true }), findings: [] };
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    const { message, problems } = error;
    const all: readonly Problem[] = problems.length > 0 ? problems : [{ message }];
    const start = file.contentLine;
    return {
      site: undefined,
      findings: all.map(({ message: text, line }): Finding => {
        const shown = plainLine(text);
        return {
          ...{ kind: 'site', subject: file.path },
          line: start === undefined || line === undefined ? undefined : start + line - 1,
          text: {
            en: `the site is not one that Landfall accepts: ${shown}`,
            zh: `Landfall 不接受这个站点：${shown}`,
          },
        };
      }),
    };
  }
}

function bootFacts(boot: unknown): PasteFacts['boot'] {
  const { product, version } = releaseSchema.shape;
  const entriesOf = (name: string) =>
    Object.entries(Object(memberOf(boot, name)) as object).filter(([arch]) =>
      (architectures as readonly string[]).includes(arch),
    );
  const manifests = entriesOf('manifests').filter(
    ([, digest]) => typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest),
  );
  const parts = entriesOf('parts').filter(([, size]) => Number.isSafeInteger(size) && size > 0);
  return {
    ...definedOnly({
      product: product.safeParse(memberOf(boot, 'product')).data,
      version: version.safeParse(memberOf(boot, 'version')).data,
    }),
    manifests: Object.fromEntries(manifests),
    parts: parts.length > 0 ? Object.fromEntries(parts) : undefined,
  };
}

function definedOnly<Value extends object>(
  value: Value,
): { [K in keyof Value]?: NonNullable<Value[K]> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof Value]?: NonNullable<Value[K]>;
  };
}

function sourcesIn(boot: unknown): PasteFacts['sources'] {
  const sources = memberOf(boot, 'sources');
  if (!Array.isArray(sources)) return [];
  return sources.slice(0, 16).map((source) => {
    const via = memberOf(source, 'proxy') ?? memberOf(source, 'socks');
    return { url: String(memberOf(source, 'url')), via: via === undefined ? via : String(via) };
  });
}

/** The bootstrap trusts every file in the folder. */
function keysIn({ files }: ReadContent): TrustedKey[] {
  const folder = `/${trustedKeysFolder}/`;
  const paths = files.map(({ path }) => path).filter((path) => path.startsWith(folder));
  const numbered = [...new Set(paths)].toSorted((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  return numbered.flatMap((path): TrustedKey[] => {
    const text = files.findLast((file) => file.path === path)?.content;
    const key = text === undefined ? undefined : keyIn(text);
    const role = path === `${folder}recovery.pem` ? 'recovery' : 'release';
    return key ? [{ path, role, key }] : [];
  });
}

function keyIn(text: string): PublicKey | undefined {
  try {
    return readPublicKey(text);
  } catch (error) {
    if (error instanceof LandfallError) return undefined;
    throw error;
  }
}
