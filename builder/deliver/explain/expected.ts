import { type Architecture, architectures } from '#contract/bundle/release-name.ts';
import { siteFile, trustedKeysFolder } from '#contract/server-paths.ts';
import { asciiJson, briefSite, isSameValue } from '#contract/site/brief-site.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { parseJson } from '#contract/text/json.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { validFields } from '#explain/valid-fields.ts';
import {
  type PinnedRelease,
  serverKeys,
  sharedFacts,
} from '../../bundle/released/pinned-release.ts';
import {
  type BootSettings,
  downloadSources,
  embeddedBootstrap,
} from '../user-data/boot-settings.ts';
import { cloudConfig, type UserDataContent } from '../user-data/cloud-config.ts';
import { userDataContent } from '../user-data/content.ts';
import { pack } from '../user-data/render.ts';
import { pathOfScript } from '../user-data/server-file.ts';
import { shellScript } from '../user-data/shell-script.ts';
import type { ReadContent } from './content.ts';
import type { PasteFacts } from './facts.ts';
import type { Finding } from './finding.ts';
import { readCloudConfig } from './read-cloud-config.ts';
import type { Paste } from './read-paste.ts';
import { readShellScript } from './read-shell-script.ts';
import { type ComparedScript, compareScripts } from './scripts.ts';

/** What Landfall would write for the site, the release and the keys of user-data. */
interface Expected {
  readonly text: string;
  /** Read by the same code as the user-data. */
  readonly content: ReadContent;
  readonly scripts: readonly ComparedScript[];
  readonly findings: readonly Finding[];
}

/**
 * Renders user-data again, from its own site, and from a verified release as far as there is one.
 * @throws LandfallError USER_DATA_MISMATCH for releases that do not belong together
 */
export function renderAgain(
  paste: Paste,
  facts: PasteFacts,
  releases: readonly PinnedRelease[],
): Expected {
  const site = facts.site ?? siteOfValidFields(facts.rawSite);
  const settings = settingsFor(site, facts, releases);
  const compared = compareScripts(paste.content, embeddedBootstrap(settings), releases);
  const content = userDataContent({
    ...{ settings, site, bootstrap: compared.expected, keys: keysFor(facts, releases) },
    format: paste.form === 'shell' ? 'shell' : 'cloud-config',
  });
  const text = textOf(withSiteAsWritten(content, site, facts), paste.form);
  const read = paste.form === 'shell' ? readShellScript(text.whole) : readConfig(text.config);
  return {
    text: text.whole,
    content: withoutUnknown(read, paste.content, compared.unknown),
    scripts: compared.scripts,
    findings: [...notCompared(facts, releases, compared.scripts), ...compared.findings],
  };
}

/** For a site that is not valid: what is valid of it, so that the rest can be compared. */
function siteOfValidFields(raw: unknown): Site {
  return siteSchema.parse({
    ...{ release: ['https://release.invalid/'], admin: { ssh_keys: ['ssh-ed25519 AAAA'] } },
    ...validFields(siteSchema, raw),
  });
}

function settingsFor(
  site: Site,
  { boot }: PasteFacts,
  releases: readonly PinnedRelease[],
): BootSettings {
  const { product = 'landfall', version = '0.0.0' } =
    releases.length > 0 ? sharedFacts(releases) : boot;
  const pins = Object.fromEntries(
    releases.map(({ release, manifestSha256 }) => [release.arch, manifestSha256]),
  );
  const named = Object.keys(boot.manifests) as Architecture[];
  const isPinned = named.some((arch) => pins[arch] !== undefined);
  // The manifest of an architecture without its release cannot be compared, which is a finding.
  const manifests = isPinned || releases.length === 0 ? { ...boot.manifests, ...pins } : pins;
  const kept = Object.entries(manifests).filter(
    ([arch]) => !isPinned || named.includes(arch as Architecture),
  );
  const sizes = named.flatMap((arch) => {
    const size = boot.parts?.[arch];
    return size === undefined ? [] : [[arch, size]];
  });
  const parts = sizes.length > 0 ? Object.fromEntries(sizes) : undefined;
  // In the order of `bootSettings`.
  return {
    ...{ product, version, manifests: Object.fromEntries(kept), parts },
    sources: downloadSources(site),
  };
}

/** The keys of the release, in the order of the user-data if they are the same. */
function keysFor({ keys }: PasteFacts, releases: readonly PinnedRelease[]): TrustedKeys {
  const numbered = new RegExp(`^/${trustedKeysFolder}/release-[1-9]\\d*\\.pem$`);
  const own: TrustedKeys = {
    release: keys.filter(({ path }) => numbered.test(path)).map(({ key }) => key),
    recovery: keys.find(({ role }) => role === 'recovery')?.key,
  };
  if (releases.length === 0) return own;
  const announced = serverKeys(releases);
  const idsOf = ({ release }: TrustedKeys) => release.map(({ id }) => id).sort();
  return isSameValue(idsOf(own), idsOf(announced))
    ? { release: own.release, recovery: announced.recovery }
    : announced;
}

/** The order of fields depends on how a site was written, so another order is no difference. */
function withSiteAsWritten(
  content: UserDataContent,
  site: Site,
  { rawSite }: PasteFacts,
): UserDataContent {
  const brief = parseJson(asciiJson(briefSite(site)));
  if (!isSameValue(rawSite, brief)) return content;
  const written = asciiJson(rawSite as object);
  return {
    ...content,
    files: content.files.map((file) =>
      file.path === `/${siteFile}` ? { ...file, content: written } : file,
    ),
  };
}

function textOf(content: UserDataContent, form: Paste['form']) {
  if (form === 'shell') return { config: '', whole: shellScript(content) };
  const config = cloudConfig(content);
  const whole = form === 'multipart' ? decodeUtf8(pack(config, 'multipart')) : config;
  return { config, whole };
}

function readConfig(text: string): ReadContent {
  return readCloudConfig(text, 'user-data');
}

/** A script whose released text is unknown has a finding already. */
function withoutUnknown(
  expected: ReadContent,
  actual: ReadContent,
  unknown: ReadonlySet<string>,
): ReadContent {
  const contentOf = (path: string) => actual.files.findLast((file) => file.path === path)?.content;
  return {
    ...expected,
    files: expected.files.map((file) =>
      unknown.has(file.path) ? { ...file, content: contentOf(file.path) } : file,
    ),
  };
}

function notCompared(
  { boot }: PasteFacts,
  releases: readonly PinnedRelease[],
  scripts: readonly ComparedScript[],
): Finding[] {
  if (releases.length === 0) return [withoutRelease];
  const given = releases.map(({ release }) => release.arch);
  const others = architectures.filter(
    (arch) => boot.manifests[arch] !== undefined && !given.includes(arch),
  );
  const unlisted = scripts.filter(({ state }) => state === 'not-compared');
  return [
    ...others.map(
      (arch): Finding => ({
        ...{ kind: 'not-compared', subject: arch },
        text: {
          en: `the release for ${arch} was not given, so its digest cannot be compared`,
          zh: `没有给出 ${arch} 的版本，无法比较它的摘要`,
        },
      }),
    ),
    ...unlisted.map(
      ({ name }): Finding => ({
        ...{ kind: 'not-compared', subject: `/${pathOfScript(name as 'bootstrap')}` },
        text: {
          en: `${name} cannot be compared: the release has no digest of it`,
          zh: `无法比较 ${name}：该版本没有它的摘要`,
        },
      }),
    ),
  ];
}

const withoutRelease: Finding = {
  ...{ kind: 'not-compared', subject: 'release' },
  text: {
    en: 'the scripts, the keys and the digests of the release cannot be compared: no release is given',
    zh: '无法比较脚本、公钥和版本的摘要：没有给出版本',
  },
};
