import { serviceNames } from '#contract/component-names.ts';
import { siteSchema } from '#contract/site/site.ts';
import { secretNames } from '../../../../appliance/stages/secrets/secret-names.ts';
import type { StackInput } from '../../../../appliance/stages/stack/stack-input.ts';

/** The images of a release, all with the tag {@link tag}. */
export const tag = '0123456789ab';
export const images = [...serviceNames, 'engine-rocm'].map((component) => ({
  component,
  index: `sha256:${tag.padEnd(64, '0')}`,
}));

const minimalSite = {
  release: ['https://example.org/r/'],
  admin: { user: 'ops', email: 'ops@example.org', ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
};

/** Returns the input of a minimal site with these settings. */
export function stackInput(
  site: Record<string, unknown> = {},
  rest: Partial<StackInput> = {},
): StackInput {
  const parsed = siteSchema.parse({ ...minimalSite, ...site });
  const secrets = Object.fromEntries(
    secretNames(parsed).map(({ name }) => [name, `secret-of-${name.toLowerCase()}`]),
  );
  return {
    site: parsed,
    secrets,
    server: { memory: 8 * 1024 ** 3, cpus: 4 },
    images,
    ...rest,
  };
}

/** A site with every component enabled and named. */
export const everything = {
  hosts: {
    ui: 'chat.example.com',
    chat: 'next.example.com',
    lobe: 'lobe.example.com',
    relay: 'api.example.com',
    docs: 'docs.example.com',
  },
  components: { chat: true, lobe: true },
  providers: {
    openai: { base_url: 'https://api.openai.com/v1' },
    deepseek: { base_url: 'https://api.deepseek.com/v1' },
  },
};
