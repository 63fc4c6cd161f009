import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { englishTexts } from '../../builder/commands/init/texts.ts';

/** The text of the picture, line by line, without its tags. */
const picture = readFileSync(new URL('../../docs/images/terminal.svg', import.meta.url), 'utf8')
  .replaceAll(/<[^>]*>/g, '')
  .replaceAll('&amp;', '&');

it.each([
  'memory',
  'architecture',
  'releaseWay',
  'releaseUrl',
  'sshKeys',
  'uiHost',
  'tls',
  'terms',
  'emailForAuthority',
  'routeWay',
  'mirrorsWay',
  'timezone',
  'providers',
] as const)(
  'shows the question of init about %s in the picture of docs/start/own-release.md',
  (name) => {
    expect(picture).toContain(englishTexts[name]);
  },
);
