import { describe, expect, it } from 'vitest';
import type { StackRig } from '../integration/stack/stack-rig.ts';
import type { Person } from './browser/person.ts';
import { pdfFile, pngFile, textFile } from './files.ts';
import { names, replies } from './real-models.ts';

/** People who are signed in, and their server. */
interface Session {
  readonly admin: Person;
  readonly guest: Person;
  readonly rig: StackRig;
  readonly url: string;
}

/** What the script that the gateway adds says in the page of the real Open WebUI. */
export function notices(session: () => Session): void {
  describe('the notices of the page', () => {
    it.each(['general', 'connections', 'code-execution', 'web', 'audio', 'images', 'documents'])(
      'says once that the settings of the page %s are not saved',
      async (page) => {
        const { admin, url } = session();
        await admin.openSettings(url, page);
        await admin.page.getByRole('button', { name: 'Save' }).first().click();
        await admin.ownNotice.filter({ hasText: 'Not saved' }).waitFor();
        await admin.picture(`settings-${page}`);
        expect(await admin.ownNotice.count()).toBe(1);
        for (const toast of await admin.page.locator('[data-sonner-toast]').all())
          expect(await toast.isVisible()).toBe(false);
      },
    );

    it.each([
      ['a broken document', textFile('broken.docx', 'no archive'), 'broken or has a password'],
      [
        'a truncated document',
        textFile('cut.docx', 'PK\u0003\u0004 cut'),
        'broken or has a password',
      ],
      ['a scan', pdfFile('scan.pdf', ''), 'This file has no text'],
    ])('says in words why %s cannot be read', async (_kind, file, words) => {
      const { admin, url } = session();
      await admin.newChat(url, names.chat);
      await admin.attach(file);
      await admin.notice(words);
      await admin.picture('unreadable');
      // Open WebUI says before the answer that a file has no text.
      expect(await admin.ask('hello')).toContain(replies.chat);
    });

    it('says that a model without vision accepts no picture', async () => {
      const { admin, url } = session();
      await admin.newChat(url, names.chat);
      await admin.attach(pngFile('pixel.png'));
      await admin.notice(/image/i);
      await admin.picture('no-vision');
    });

    it('says what an answer waits for, which begins when the other page is closed', async () => {
      const { admin, guest, url } = session();
      await admin.newChat(url, names.endless);
      await admin.send('count');
      await admin.replies.filter({ hasText: 'nine' }).first().waitFor();
      await guest.newChat(url, names.endless);
      await guest.send('count');
      await guest.ownNotice.filter({ hasText: 'Waiting for another answer' }).waitFor();
      await guest.picture('waiting');
      await admin.page.goto('about:blank');
      await guest.replies.filter({ hasText: 'nine' }).first().waitFor();
      await guest.ownNotice.waitFor({ state: 'detached' });
      await guest.stop();
    });

    it('marks an answer that a restart has cut', async () => {
      const { admin, rig, url } = session();
      await admin.newChat(url, names.endless);
      await admin.send('count');
      await admin.replies.filter({ hasText: 'nine' }).first().waitFor();
      await rig.compose('kill', 'ui');
      await rig.compose('up', '--detach', '--wait', '--wait-timeout', '300');
      await admin.page.getByText('This answer broke off').first().waitFor();
      await admin.picture('broke-off');
      await admin.page.reload();
      await admin.replies.first().waitFor();
      await admin.page.locator('[id^="message-"]', { hasText: 'This answer broke off' }).waitFor();
      await admin.picture('broke-off-reloaded');
    });
  });
}
