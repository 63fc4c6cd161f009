import { componentNames } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { addressesOf } from '#contract/site/network/dns.ts';
import type { Site } from '#contract/site/site.ts';
import { secretNames } from '../../secrets/secret-names.ts';
import { componentCode } from '../components/registry.ts';
import { configurationHash } from '../configuration-hash.ts';
import { renderGateway } from '../gateway/render-gateway.ts';
import { renderPages } from '../pages/render-pages.ts';
import { plainFile, type RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';
import { renderEnvironment } from './environment.ts';
import { renderOverrides } from './overrides.ts';

/**
 * Renders every file of the stack of a site, below `/var/lib/landfall/stack`. Pure: the same input gives
 * the same bytes. Secrets are only in files with one reader; `.env` contains none.
 * @throws LandfallError STATE_INVALID when a secret is missing or cannot be quoted
 */
export function renderStack(input: StackInput): RenderedFile[] {
  refuseMissing(input);
  const configurations = componentNames.flatMap((name) => {
    const render = componentCode[name]?.configuration;
    if (!render) return [];
    return [{ name, files: isEnabled(input.site, name) ? render(input) : [] }];
  });
  // The gateway reloads its files without a restart, so it needs no hash.
  const hashes = new Map(
    configurations.map(({ name, files }) => [
      name,
      configurationHash(files.length > 0 ? [...files, ...resolverFiles(input.site)] : files),
    ]),
  );
  return [
    renderEnvironment(input, hashes),
    renderOverrides(input),
    ...configurations.flatMap(({ files }) => files),
    ...renderGateway(input),
    ...renderPages(input),
  ];
}

/** A container gets the DNS servers of Docker when it starts, so it must be replaced with them. */
function resolverFiles({ dns }: Pick<Site, 'dns'>): RenderedFile[] {
  return dns ? [plainFile('dns', addressesOf(dns).join(' '))] : [];
}

function refuseMissing({ site, secrets }: StackInput): void {
  const missing = secretNames(site).filter(({ name, required }) => required && !secrets[name]);
  if (missing.length === 0) return;
  throw new LandfallError('STATE_INVALID', 'secrets of the stack are missing', {
    hint: 'Create them with: sudo landfall first-boot',
    problems: missing.map(({ name }) => ({ message: `${name} is missing` })),
  });
}
