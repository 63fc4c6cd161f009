import { fieldsUnlikeDefaults } from '#contract/site/brief-site.ts';
import { servedHosts } from '#contract/site/enabled.ts';
import { openingsOfSite } from '#contract/site/network/openings.ts';
import { formatOpening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { secretLooks } from '#explain/secret-signs.ts';
import { shownUrl } from './describe-contacts.ts';
import { sshKeyOf } from './describe-site.ts';
import type { Explanation } from './explain-paste.ts';

/** Returns an explanation for programs, in English. Contains no secrets. */
export function explanationJson(explanation: Explanation): object {
  const { format, isCompared, facts, scripts, findings } = explanation;
  const { boot, keys, sources, site } = facts;
  return {
    ...{ plain: findings.length === 0, compared: isCompared, format },
    release: {
      product: boot.product ?? null,
      version: boot.version ?? null,
      manifests: boot.manifests,
    },
    keys: keys.map(({ role, key }) => ({ role, keyId: key.id })),
    scripts: scripts.map(({ name, sha256 = null, state }) => ({ name, sha256, state })),
    sources: sources.map(({ url, via }) => ({
      url: shownUrl(url),
      proxy: via === undefined ? null : shownUrl(via),
    })),
    site: site ? siteJson(site) : null,
    findings: findings.map(({ kind, subject, line = null, text }) => {
      return { kind, subject, line, message: text.en };
    }),
  };
}

/** Returns what a site sets, for programs. Contains no secrets. */
export function siteJson(site: Site): object {
  return {
    user: site.admin.user,
    sshKeys: site.admin.ssh_keys.map(sshKeyOf),
    opens: openingsOfSite(site).map(formatOpening),
    hosts: servedHosts(site),
    route: site.route.mode,
    fields: fieldsUnlikeDefaults(site).map(({ field, after }) => ({
      field,
      value: secretLooks(JSON.stringify(after)) ? null : after,
    })),
  };
}
