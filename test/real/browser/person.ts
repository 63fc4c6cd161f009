import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { UploadedFile } from '../files.ts';

/** A person in front of the chat. Waits end with the event that a person waits for. */
export class Person {
  readonly page: Page;
  readonly #pictures: string;
  readonly #folders: string[] = [];
  #count = 0;

  /** @param pictures folder and first part of the names of screenshots */
  constructor(page: Page, pictures: string) {
    this.page = page;
    this.#pictures = pictures;
  }

  /** Takes a screenshot for people to look at. */
  async picture(name: string): Promise<void> {
    this.#count += 1;
    const number = `${this.#count}`.padStart(2, '0');
    await this.page.screenshot({ path: `${this.#pictures}-${number}-${name}.png` });
  }

  /** Prints what the person sees, for a failure on a machine whose screenshots are not kept. */
  async describe(): Promise<void> {
    await this.picture('failed');
    const text = await this.page.locator('body').innerText();
    process.stderr.write(
      `  ${this.page.url()} shows: ${text.replace(/\s+/g, ' ').slice(0, 1000)}\n`,
    );
  }

  /** Fills the form of the sign-in page. */
  async trySignIn(email: string, password: string): Promise<void> {
    await this.page.locator('input[autocomplete=email], input[type=email]').first().fill(email);
    await this.page.locator('input[type=password]').fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  async signIn(url: string, email: string, password: string): Promise<void> {
    await this.page.goto(url);
    await this.trySignIn(email, password);
    await this.input.waitFor();
  }

  get input(): Locator {
    return this.page.locator('#chat-input');
  }

  /** The replies of the chat, in order. */
  get replies(): Locator {
    return this.page.locator('.chat-assistant');
  }

  /** The notice of the script that the gateway adds. */
  get ownNotice(): Locator {
    return this.page.locator('[data-landfall-notice]');
  }

  /** Sends a message, and returns the text of the finished reply. */
  async ask(text: string): Promise<string> {
    const before = await this.replies.count();
    await this.send(text);
    await this.replies.nth(before).waitFor();
    await this.finished();
    return (await this.replies.nth(before).innerText()).trim();
  }

  async send(text: string): Promise<void> {
    await this.input.click();
    await this.page.keyboard.insertText(text);
    await this.page.locator('#send-message-button').click();
  }

  /** Pastes a text into the message. */
  async paste(text: string): Promise<void> {
    await this.input.click();
    await this.page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('#chat-input').dispatchEvent(paste);
    }`);
  }

  /** Waits until no reply is being written. */
  async finished(): Promise<void> {
    await this.page
      .locator('#send-message-button, #voice-input-button, button[aria-label="Voice mode"]')
      .first()
      .waitFor({ timeout: 120_000 });
  }

  async stop(): Promise<void> {
    await this.page.locator('button[aria-label="Stop"], #stop-response-button').first().click();
    await this.finished();
  }

  /** Opens a new chat, with a model if one is named. */
  async newChat(url: string, model?: string): Promise<void> {
    await this.page.goto(model ? `${url}/?models=${encodeURIComponent(model)}` : url);
    await this.input.waitFor();
  }

  /** Returns the names in the list of models. */
  async models(): Promise<string[]> {
    await this.page.locator('#model-selector-model-button').click();
    const items = this.page.locator(
      '[aria-label^="Select "][role=option], button[aria-label="model-item"], [data-arrow-selected]',
    );
    await items.first().waitFor();
    const texts = await items.allInnerTexts();
    await this.page.keyboard.press('Escape');
    return texts.map((text) => text.trim().split(/\s/)[0] ?? '');
  }

  /** Chooses whether the model thinks, beside the list of models. */
  async setThinking(option: 'On' | 'Off'): Promise<void> {
    await this.page.getByRole('button', { name: 'Model controls' }).click();
    await this.page.getByText('Thinking').last().hover();
    await this.page.getByText(option, { exact: true }).last().click();
    await this.page.keyboard.press('Escape');
  }

  /** Selects a file as in the file dialog. */
  async attach({ name, buffer }: UploadedFile): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-upload-'));
    await writeFile(join(folder, name), buffer);
    const chooser = this.page.waitForEvent('filechooser');
    await this.page.locator('#input-menu-button').click();
    await this.page.getByText('Upload Files').click();
    await (await chooser).setFiles(join(folder, name));
    this.#folders.push(folder);
  }

  /** Waits until an attached document is processed. */
  async attached(name: string): Promise<void> {
    await this.page.getByText(name).first().waitFor();
  }

  async attachWebPage(address: string): Promise<void> {
    await this.page.locator('#input-menu-button').click();
    await this.page.getByText('Attach Webpage').click();
    await this.page.locator('[role=dialog] input, [role=dialog] textarea').first().fill(address);
    await this.page.getByRole('button', { name: 'Add' }).click();
  }

  /** Waits for a notice with this text. */
  async notice(text: string | RegExp): Promise<void> {
    await this.page.locator('[data-sonner-toast]').filter({ hasText: text }).first().waitFor();
  }

  /** Opens a page of the administration settings by the menu: its address once showed no page. */
  async openSettings(url: string, page: string): Promise<void> {
    await this.page.goto(url);
    await this.input.waitFor();
    await this.page.getByRole('button', { name: 'User menu' }).first().click();
    await this.page.getByText('Settings', { exact: true }).last().click();
    await this.page.locator(`[aria-controls="tab-admin-${page}"]`).click();
  }

  async openNewAccount(url: string): Promise<void> {
    await this.page.goto(`${url}/admin/users`);
    await this.page.getByRole('button', { name: 'Add User' }).click();
  }

  async fillNewAccount(account: { name: string; email: string; password: string }): Promise<void> {
    const dialog = this.page.locator('[role=dialog]');
    await dialog.locator('input[type=text]').first().fill(account.name);
    await dialog.locator('input[type=email]').fill(account.email);
    await dialog.locator('input[type=password]').fill(account.password);
    await dialog.getByRole('button', { name: 'Save' }).click();
  }

  async signOut(url: string): Promise<void> {
    await this.page.goto(url);
    await this.input.waitFor();
    await this.page.getByRole('button', { name: 'User menu' }).first().click();
    await this.page.getByText('Sign Out').click();
    await this.page.locator('input[type=password]').waitFor();
  }

  /** Removes the files that were attached. */
  async leave(): Promise<void> {
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }
}
