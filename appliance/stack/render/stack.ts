import { LandfallError } from '#contract/errors.ts';
import { secretNames } from '../../secrets/secret-names.ts';
import { configurationHash } from '../configuration-hash.ts';
import { renderGateway } from '../gateway/render-gateway.ts';
import { renderPages } from '../pages/render-pages.ts';
import type { RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';
import { renderEgress } from './egress.ts';
import { renderEnvironment } from './environment.ts';
import { renderFrontEnds } from './front-ends.ts';
import { renderOverrides } from './overrides.ts';
import { renderRelay } from './relay.ts';
import { renderTinyproxy } from './tinyproxy.ts';
import { renderUi } from './ui.ts';

/**
 * Makes every file of the stack for one site, below `/var/lib/landfall/stack`. Pure: the same input
 * gives the same bytes. Secrets are only in files that one reader may read; `.env` has none.
 * @throws LandfallError STATE_INVALID when a secret is missing or cannot be written
 */
export function renderStack(input: StackInput): RenderedFile[] {
  refuseMissing(input);
  const parts = {
    ...renderEgress(input),
    ui: renderUi(input),
    ...renderFrontEnds(input),
    relay: renderRelay(input),
    tinyproxy: renderTinyproxy(input),
  };
  // The gateway reloads its files while it runs; the other parts start again when theirs change.
  const hashes = Object.fromEntries(
    Object.entries(parts).map(([name, files]) => [name, configurationHash(files)]),
  );
  return [
    renderEnvironment(input, hashes),
    renderOverrides(input),
    ...Object.values(parts).flat(),
    ...renderGateway(input),
    ...renderPages(input),
  ];
}

function refuseMissing({ site, secrets }: StackInput): void {
  const missing = secretNames(site).filter(({ name, required }) => required && !secrets[name]);
  if (missing.length === 0) return;
  throw new LandfallError('STATE_INVALID', 'the stack lacks secrets', {
    hint: 'The secrets stage makes those that nobody has to know: sudo landfall first-boot',
    problems: missing.map(({ name }) => ({ message: `there is no ${name}` })),
  });
}
