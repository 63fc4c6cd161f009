import { resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import type { EditorContext } from '../context.ts';
import { editors, otherEditor } from '../editors.ts';
import { type EditorSettings, findEditors, settingsPath } from '../settings-path.ts';

/** Options that select the settings. */
export interface SettingsFlags {
  readonly editor?: string;
  readonly settings?: string;
  readonly json?: boolean;
}

/**
 * Returns the editor and its settings: those of the options, or of the only editor, or of the one
 * that the user chooses.
 * @throws LandfallError USAGE if the choice is not clear, FILE_MISSING without an editor
 */
export async function chooseSettings(
  context: EditorContext,
  { editor: name, settings, json }: SettingsFlags,
): Promise<EditorSettings> {
  const { platform } = context;
  if (platform !== 'linux' && platform !== 'darwin' && settings === undefined) {
    throw new LandfallError('USAGE', `the settings of editors on ${platform} are not known`, {
      hint: 'Use --settings with the path of settings.json.',
    });
  }
  if (settings !== undefined && name !== undefined) {
    throw new LandfallError('USAGE', '--editor and --settings cannot be used together', {
      hint: 'Use one of them.',
    });
  }
  if (settings !== undefined) return atPath(resolve(context.cwd, settings), context);
  const known = editors.find((editor) => editor.name === name);
  if (known) return { editor: known, path: settingsPath(known, context) };
  const found = await findEditors(context);
  const [only] = found;
  if (only === undefined) throw noEditor();
  if (found.length === 1) return only;
  const { choose } = context;
  if (choose === undefined || json) throw severalEditors(found);
  const options = found.map(({ editor: { name: value, title }, path }) => ({
    ...{ value, label: `${title}: ${path}` },
  }));
  const chosen = await choose('Which editor?', options);
  return found.find(({ editor }) => editor.name === chosen) ?? only;
}

function atPath(path: string, context: EditorContext): EditorSettings {
  const editor = editors.find((each) => settingsPath(each, context) === path);
  return { editor: editor ?? otherEditor, path };
}

function noEditor(): LandfallError {
  return new LandfallError('FILE_MISSING', 'no editor with the settings of VS Code was found', {
    hint: 'Start the editor once, or use --editor or --settings.',
  });
}

function severalEditors(found: readonly EditorSettings[]): LandfallError {
  return new LandfallError('USAGE', 'several editors were found', {
    hint: 'Select one of them with --editor.',
    problems: found.map(({ editor, path }) => ({ message: `--editor ${editor.name}: ${path}` })),
  });
}
