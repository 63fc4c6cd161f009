import type { z } from 'zod';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { judgeSite } from '#contract/site/rules.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { applyVariables } from '#contract/site/variables.ts';
import { explain, inOrder } from '#explain/explain.ts';
import { validFields } from '#explain/valid-fields.ts';
import type { YamlFile } from '#yaml/parse.ts';
import { judgeKeys } from './key-rules.ts';
import { findPlaceholders } from './placeholders.ts';
import { refuseSecrets } from './secrets.ts';

export interface SiteOptions {
  /** Allow a proxy password in route.url, with a warning. */
  readonly allowRoutePassword?: boolean | undefined;
  /** Receives warnings for the user. */
  readonly note?: ((line: string) => void) | undefined;
}

/**
 * Returns the site that a file describes. Rejects secrets, placeholders, invalid fields and
 * contradictions between fields.
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

/** Returns the fields whose URL may contain a password: those of a proxy, if allowed. */
function allowedPasswords({ allowRoutePassword }: SiteOptions): Set<string> {
  return new Set(
    allowRoutePassword ? ['route.url', ...proxyVariables.map((name) => `variables.${name}`)] : [],
  );
}

/** Returns all problems in the order of the file. A placeholder is reported only once. */
function problemsOf(file: YamlFile, error: z.ZodError | undefined): Problem[] {
  const unfilled = findPlaceholders(file);
  const positions = new Set(unfilled.map(({ line, column }) => `${line}:${column}`));
  const invalidFields = error ? explain(error, file, siteSchema) : [];
  const valid = validFields(siteSchema, file.value);
  const conflicts = [...judgeKeys(valid), ...judgeSite(valid)].map(({ at, message, hint }) => ({
    message,
    hint,
    file: file.path,
    ...file.locate(at),
  }));
  const others = invalidFields.filter(({ line, column }) => !positions.has(`${line}:${column}`));
  return inOrder([...unfilled, ...others, ...conflicts]);
}

function invalid({ path }: YamlFile, problems: readonly Problem[]): LandfallError {
  return new LandfallError('CONFIG_INVALID', `${path} is not a valid site`, {
    hint: 'Fix the problems below. `landfall schema site` describes every key.',
    problems,
  });
}

function warnOfPassword({ route }: Site, { note }: SiteOptions): void {
  if (!('url' in route) || new URL(route.url).password === '') return;
  note?.(
    'route.url contains a password. The provider, its backups, every process on the server and every container with access to the metadata service can read it. Use a password that is valid only for this proxy, and change it when the server is set up.',
  );
}
