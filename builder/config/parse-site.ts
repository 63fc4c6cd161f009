import type { z } from 'zod';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { judgeSite } from '#contract/site/rules.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { applyVariables } from '#contract/site/variables.ts';
import { explain, inOrder } from './explain.ts';
import { judgeKeys } from './key-rules.ts';
import { findPlaceholders } from './placeholders.ts';
import { refuseSecrets } from './secrets.ts';
import { validParts } from './valid-parts.ts';
import type { YamlFile } from './yaml/parse.ts';

export interface SiteOptions {
  /** Let route.url carry the proxy's password, with a warning. */
  readonly allowRoutePassword?: boolean | undefined;
  /** Told what a person should know. */
  readonly note?: ((line: string) => void) | undefined;
}

/**
 * Returns the site that a file describes: no secrets, no unfilled places, valid fields, fields that fit
 * each other.
 * @throws LandfallError SITE_SECRET, CONFIG_INVALID
 */
export function parseSite(file: YamlFile, options: SiteOptions = {}): Site {
  refuseSecrets(file, allowedPasswords(options));
  const parsed = siteSchema.safeParse(file.value);
  const problems = problemsOf(file, parsed.error);
  if (!parsed.success || problems.length > 0) throw invalid(file, problems);
  const site = applyVariables(parsed.data);
  warnOfPassword(site, options);
  return site;
}

const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];

/** The places of a proxy's address, which some proxies want a password in. */
function allowedPasswords({ allowRoutePassword }: SiteOptions): Set<string> {
  return new Set(
    allowRoutePassword ? ['route.url', ...proxyVariables.map((name) => `variables.${name}`)] : [],
  );
}

/** All there is to say at once. What was never filled in needs no second complaint. */
function problemsOf(file: YamlFile, error: z.ZodError | undefined): Problem[] {
  const unfilled = findPlaceholders(file);
  const places = new Set(unfilled.map(({ line, column }) => `${line}:${column}`));
  const invalidFields = error ? explain(error, file, siteSchema) : [];
  const parts = validParts(siteSchema, file.value);
  const misfits = [...judgeKeys(parts), ...judgeSite(parts)].map(({ at, message, hint }) => ({
    message,
    hint,
    file: file.path,
    ...file.locate(at),
  }));
  const others = invalidFields.filter(({ line, column }) => !places.has(`${line}:${column}`));
  return inOrder([...unfilled, ...others, ...misfits]);
}

function invalid({ path }: YamlFile, problems: readonly Problem[]): LandfallError {
  return new LandfallError('CONFIG_INVALID', `${path} is not a valid site`, {
    hint: 'Mend the places below. `landfall schema site` says what every key means.',
    problems,
  });
}

function warnOfPassword({ route }: Site, { note }: SiteOptions): void {
  if (route.mode === 'direct' || new URL(route.url).password === '') return;
  note?.(
    'route.url carries a password: the provider, its backups, every process on the server and every container that reaches the metadata address can read it. Use a password that opens this proxy only, and change it when the server is up.',
  );
}
