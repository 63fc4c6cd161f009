import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { cached } from '../cached.ts';
import { archiveRoot } from '../debian/debian.ts';
import type { Say } from '../say.ts';
import { makeRoot, runInRoot } from './root-folder.ts';

/** Debian 12 has the Python that Open WebUI needs (3.11 or 3.12). */
const packages = ['bash', 'ca-certificates', 'python3', 'python3-pip'];

/**
 * Imported only when a site uses them, and several gigabytes large: speech, embeddings in the
 * process, and text recognition in pictures.
 */
const omitted = [
  'accelerate',
  'einops',
  'faster-whisper',
  'opencv-python-headless',
  'rapidocr',
  'sentence-transformers',
  'sentencepiece',
  'transformers',
];

/** Starts the program as the script of the image does. */
const startScript = `cd /app/backend
exec python3 -m uvicorn open_webui.main:app --host 0.0.0.0 --port 8080 --forwarded-allow-ips '*' --workers 1
`;

/** Configuration of the image, as in the published one. */
export const openWebUiImage = [
  'WORKDIR /app/backend',
  'CMD ["bash", "start.sh"]',
  'ENV FRONTEND_BUILD_DIR=/app/build DATA_DIR=/app/backend/data STATIC_DIR=/app/backend/static ENV=prod PYTHONUNBUFFERED=1',
];

/** Returns the version of Open WebUI in `appliance.yaml`, or the one in LANDFALL_OPEN_WEBUI. */
export async function openWebUiVersion(): Promise<string> {
  const chosen = process.env.LANDFALL_OPEN_WEBUI;
  if (chosen) return chosen;
  const file = new URL('../../../builder/inputs/appliance.yaml', import.meta.url);
  const { components } = parse(await readFile(file, 'utf8')) as {
    components: { ui: { image: string } };
  };
  return components.ui.image.replace(/^.*:v/, '');
}

/** The version of uv. */
const installer = '0.13.9';

/** The version of the release before, from which the tests update. It has another database schema. */
export const openWebUiBefore = '0.11.4';

/**
 * Returns the archive of a root file system with Open WebUI from PyPI, laid out as in its image;
 * builds it the first time, which downloads 500 MB. Versions share the downloads.
 * @param name folder in the cache, one for each version that a test uses
 */
export async function provideOpenWebUi(
  cache: string,
  say: Say,
  name: 'open-webui' | 'open-webui-before' = 'open-webui',
): Promise<string> {
  const version = name === 'open-webui' ? await openWebUiVersion() : openWebUiBefore;
  const inputs = { version, packages, omitted, startScript, installer, recipe: 1 };
  const folder = await cached(cache, name, inputs, async (target) => {
    say(name, `${version} from PyPI, once: downloads 500 MB, takes 3 minutes`);
    await mkdir(target);
    const root = join(target, 'root');
    const shared = join(cache, 'uv');
    await mkdir(shared, { recursive: true });
    await makeRoot('bookworm', packages, root);
    await runInRoot(root, shared, installScript(version));
    await layOut(root);
    await archiveRoot(root, join(target, 'image.tar'));
    await rm(root, { recursive: true });
  });
  return join(folder, 'image.tar');
}

/** Installs the program, and then its requirements except those omitted. */
function installScript(version: string): string {
  return `export PIP_BREAK_SYSTEM_PACKAGES=1 PIP_ROOT_USER_ACTION=ignore PIP_RETRIES=10 PIP_NO_COMPILE=1
export PIP_CERT=/etc/ssl/certs/ca-certificates.crt SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
export UV_CACHE_DIR=/mnt UV_LINK_MODE=copy UV_SYSTEM_PYTHON=1 UV_BREAK_SYSTEM_PACKAGES=1
# pip takes minutes for the same: it resolves and unpacks in Python.
pip3 install --quiet --no-cache-dir uv==${installer}
uv pip install --quiet --no-deps open-webui==${version}
python3 - > /tmp/requirements.txt <<'END'
from importlib.metadata import requires
omitted = set("${omitted.join(' ')}".split())
for line in requires("open-webui"):
    if "extra ==" not in line and line.split("==")[0].split("[")[0].strip() not in omitted:
        print(line)
END
uv pip install --quiet -r /tmp/requirements.txt
pip3 uninstall --quiet --yes uv
find / -xdev -name __pycache__ -prune -exec rm -rf {} +
`;
}

async function layOut(root: string): Promise<void> {
  const site = '/usr/local/lib/python3.11/dist-packages/open_webui';
  const backend = join(root, 'app/backend');
  await mkdir(join(backend, 'data'), { recursive: true });
  await mkdir(join(backend, 'static'));
  await writeFile(join(backend, 'start.sh'), startScript);
  await symlink(site, join(backend, 'open_webui'));
  await symlink(`${site}/frontend`, join(root, 'app/build'));
}
