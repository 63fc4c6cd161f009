import { expect, it } from 'vitest';
import {
  testPass,
  unlimitedVariable,
} from '../../../../../appliance/stages/stack/gateway/access.ts';

it('derives the pass of the smoke tests from the signing key, without showing it', () => {
  const pass = testPass({ WEBUI_SECRET_KEY: 'a key' });
  expect(pass).toMatch(/^[0-9a-f]{32}$/);
  expect(testPass({ WEBUI_SECRET_KEY: 'another key' })).not.toBe(pass);
  expect(testPass({})).toBeUndefined();
});

it('exempts the passes and the networks of the site from limits, and no others', () => {
  const text = unlimitedVariable(['10.0.0.0/8'], ['a'.repeat(32), undefined, 'b'.repeat(32)]);
  expect(text).toContain('default 0;\n  10.0.0.0/8 1;');
  expect(text.match(/^ {2}\w{32} 1;$/gm)).toEqual([
    `  ${'a'.repeat(32)} 1;`,
    `  ${'b'.repeat(32)} 1;`,
  ]);
  expect(text).not.toContain('undefined');
});

it.each([
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['::2:3:4:5:6:7:8/64', '0:2:3:4:5:6:7:8/64'],
  ['2001:DB8::/32', '2001:db8::/32'],
  ['10.0.0.0/8', '10.0.0.0/8'],
])('renders the network %s as nginx reads it', (network, rendered) => {
  expect(unlimitedVariable([network], [])).toContain(`  ${rendered} 1;\n`);
});
