import { describe, expect, it } from 'vitest';
import { variableOf } from '#contract/component-names.ts';
import { secretNames } from '../../../../appliance/stages/secrets/secret-names.ts';
import { readersOf } from '../../../../appliance/stages/secrets/secret-readers.ts';
import { renderStack } from '../../../../appliance/stages/stack/render-stack.ts';
import { everything, stackInput } from '../stack/stack-input.ts';

const site = {
  ...everything,
  hub: { base_url: 'https://hub.example.com' },
  relay: { keys: ['phone', 'old-laptop'] },
};

/** Returns the components whose containers restart with another value of a secret. */
function restartedBy(settings: object, name: string): string[] {
  const input = stackInput(settings as Record<string, unknown>);
  const labels = (secrets: Record<string, string>): readonly string[] => {
    const files = renderStack({ ...input, secrets: { ...input.secrets, ...secrets } });
    const text = files.find(({ path }) => path === '.env')?.content ?? '';
    return text.match(/^\w+_CONFIGURATION=.*$/gm) ?? [];
  };
  const before = labels({});
  return labels({ [name]: 'another-value' })
    .filter((line) => !before.includes(line))
    .map((line) => line.replace(/=.*/, ''))
    .sort();
}

const variablesOf = (settings: object, name: string) =>
  readersOf(stackInput(settings as Record<string, unknown>).site, name)
    .map((component) => variableOf(component, 'CONFIGURATION'))
    .sort();

describe('the readers of a secret', () => {
  const names = secretNames(stackInput(site).site)
    .map(({ name }) => name)
    .filter((name) => name !== 'WEBUI_ADMIN_PASSWORD');

  it.each(names)('finds the components that restart with another value: %s', (name) => {
    expect(restartedBy(site, name)).not.toEqual([]);
    expect(variablesOf(site, name)).toEqual(restartedBy(site, name));
  });

  it.each([
    ['TINYPROXY_USERNAME', { tinyproxy: { username: 'me' } }],
    ['TINYPROXY_USERNAME', { tinyproxy: { open: 'i-understand' } }],
    ['TINYPROXY_PASSWORD', { tinyproxy: { open: 'i-understand' } }],
    ['RELAY_KEY_UI', {}],
    ['RELAY_KEY_OWNER', {}],
    ['CHAT_ACCESS_CODE', {}],
  ])('finds no reader of %s on the site %j', (name, settings) => {
    expect(readersOf(stackInput(settings).site, name)).toEqual([]);
    expect(restartedBy(settings, name)).toEqual([]);
  });

  it('restarts nothing for another password of the administrator, who exists then', () => {
    expect(restartedBy(site, 'WEBUI_ADMIN_PASSWORD')).toEqual([]);
    expect(restartedBy(site, 'WEBUI_SECRET_KEY')).toEqual(['UI_CONFIGURATION']);
  });
});
