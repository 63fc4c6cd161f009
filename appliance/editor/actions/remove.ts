import type { EditorContext } from '../context.ts';
import { removeFromEditor } from '../remove.ts';
import { stateFolder } from '../settings-path.ts';
import { chooseSettings, type SettingsFlags } from './choose-settings.ts';
import { printResult } from './print.ts';

/** Undoes `landfall editor configure`. @throws LandfallError STATE_INVALID, CONFIG_…, FILE_… */
export async function removeAction(context: EditorContext, flags: SettingsFlags): Promise<void> {
  const { editor, path } = await chooseSettings(context, flags);
  const { path: settings, restored, kept } = await removeFromEditor(path, stateFolder(context));
  const warnings = kept.map((key) => ({
    kind: 'kept',
    text: `${key} was changed since, and stays in ${settings}.`,
  }));
  const shown = { editor: editor.name, settings, restored, kept, warnings };
  const keys = restored.length > 0 ? `restored ${restored.join(', ')}` : 'nothing was restored';
  printResult(context, flags.json, shown, `${settings}: ${keys}`);
}
