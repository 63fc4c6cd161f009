import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '#contract/text/bytes.ts';
import { trustedKeysOf } from '#contract/trust/keys.ts';
import { parseSite } from '#explain/parse-site.ts';
import { parseYaml } from '#yaml/parse.ts';
import { pinRelease, serverKeys } from '../../../builder/bundle/released/pinned-release.ts';
import { renderUserData } from '../../../builder/deliver/user-data/render.ts';
import {
  type UserDataFixture,
  userDataFixtures,
} from '../../builder/deliver/user-data/fixtures.ts';
import { needs } from '../needs.ts';
import { choose, PageFolder } from './opened-page.ts';
import { facts, files, releases } from './release-files.ts';

const given = needs('browser');

/** Renders a fixture as `landfall user-data` does. */
function rendered({ siteYaml, provider, format }: UserDataFixture): string {
  const site = parseSite(parseYaml(encodeUtf8(siteYaml), 'site.yaml'), {
    allowRoutePassword: true,
  });
  const policy = { keys: trustedKeysOf(facts.keys), now: new Date() };
  const pinned = releases.map(({ manifest, signature }) => pinRelease(manifest, signature, policy));
  const keys = serverKeys(pinned);
  return decodeUtf8(renderUserData({ site, releases: pinned, keys, provider, format }).bytes);
}

/** Fills in the page, and returns the paste. */
async function made(page: Page, { siteYaml, provider, format }: UserDataFixture) {
  // Without a site, the choices below render nothing.
  await page.fill('#site', '');
  await page.selectOption('#provider', provider ?? '');
  await page.selectOption('#format', format ?? '');
  await page.fill('#site', siteYaml);
  const consent = page.locator('#allow-password:not(:checked)');
  if ((await consent.count()) > 0) await consent.check();
  return await page.inputValue('#user-data');
}

given.describe('the page in a real browser', () => {
  let folder: PageFolder;
  beforeAll(async () => {
    folder = await PageFolder.start(given.browser, facts);
  });
  afterAll(() => folder.close());

  async function compareAll(page: Page): Promise<void> {
    await page.click('#site-text summary');
    for (const fixture of userDataFixtures) {
      expect(await made(page, fixture), fixture.name).toBe(rendered(fixture));
    }
    expect(userDataFixtures.length).toBeGreaterThan(40);
    expect(folder.complaints).toEqual([]);
  }

  it('makes the same bytes as Node from a file, with chosen files', async () => {
    const page = await folder.open('file');
    await choose(page, files);
    await compareAll(page);
    await page.context().close();
  });

  it('makes the same bytes as Node over http, with the release in its folder, and contacts nothing else', async () => {
    folder.requests.length = 0;
    for (const { name, buffer } of files) await writeFile(join(folder.folder, name), buffer);
    try {
      const page = await folder.open('http');
      await compareAll(page);
      await page.context().close();
      const names = ['configurator.html', ...files.map(({ name }) => name)];
      const own = names.map((name) => `${folder.origin}/${name}`);
      expect(folder.requests.filter((url) => !url.endsWith('/favicon.ico')).sort()).toEqual(
        own.sort(),
      );
    } finally {
      for (const { name } of files) await rm(join(folder.folder, name));
    }
  });
});
