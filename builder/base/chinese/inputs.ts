import type { ChineseRows } from '#contract/text/translated.ts';

/** appliance.yaml, the lock file, images, registries and models. */
export const inputRows: ChineseRows = {
  '{} is not a valid appliance': '{1} 不是有效的 appliance.yaml',
  'Fix the problems above. `landfall schema appliance` describes every key.':
    '修改上面的问题。`landfall schema appliance` 说明每个字段。',
  'updates_from {} is newer than version {}': 'updates_from {1} 比版本 {2} 更新',
  'Set it to the oldest version that may update to this one, or remove it.':
    '设为可以直接更新到此版本的最旧版本，或删除它。',
  'the mirrors of {} are invalid': '{1} 中的镜像源无效',
  'Fix `mirrors` in the site; docs/site.md lists its fields.':
    '修改站点配置的 `mirrors`；docs/zh/site.md 列出了各字段。',

  '{} is outdated; resolving the changes': '{1} 已过期，正在查询变化的部分',
  'creating {}': '正在生成 {1}',
  'resolving {}': '查询 {1}',
  'reading {} for {}': '为 {2} 读取 {1}',
  'Run `landfall lock` and commit the lock file.': '运行 `landfall lock`，并提交锁文件。',
  '{} does not match the appliance': '{1} 与 appliance.yaml 不一致',
  '{} is locked, but not in the appliance': '锁文件中的 {1} 不在 appliance.yaml 中',
  '{} is {}, but locked as {}': '{1} 是 {2}，锁文件中是 {3}',
  '{} is not locked': '锁文件中没有 {1}',
  '{} is not locked for {}': '锁文件中没有用于 {2} 的 {1}',
  '{}{} is not locked for its current URLs': '锁文件中没有 {1}{2} 现在的网址',
  'the lock was created from another configuration': '锁文件由另一份配置生成',
  '{} is locked from another source': '锁文件中 {1} 的来源不同',
  'Delete it and run `landfall lock`.': '删除它，再运行 `landfall lock`。',
  '{} is not a valid lock file': '{1} 不是有效的锁文件',
  'the source does not match the lock': '来源与锁文件不一致',
  'Check why it changed, then accept it with `landfall lock --update {}`.':
    '先查明为什么改变，再用 `landfall lock --update {1}` 接受。',
  'locking failed: {}': '锁定失败：{1}',
  'Fix the problems above and run `landfall lock` again; {} keeps the resolved entries.':
    '解决上面的问题，再运行 `landfall lock`；已查到的内容保存在 {1} 中。',
  'Check the connection and the proxy, or {}.': '检查网络和代理，或{1}。',
  'the registry does not have the locked digest': '镜像仓库没有锁文件中的摘要',
  'index: locked {}, {} is now {}': 'index：锁文件中是 {1}，{2} 现在是 {3}',
  'correct `image` in appliance.yaml': '修改 appliance.yaml 中的 `image`',
  'add a mirror with --mirror {}=<url>': '用 --mirror {1}=<网址> 添加镜像源',
  'correct `gguf` in appliance.yaml, or set HF_ENDPOINT to a Hugging Face mirror':
    '修改 appliance.yaml 中的 `gguf`，或把 HF_ENDPOINT 设为 Hugging Face 的镜像源',
  'the lock file contains unresolved values': '锁文件中有未确定的值',
  'Run `landfall lock`, or build a thin bundle without --frozen.':
    '运行 `landfall lock`，或不加 --frozen 构建精简的发布包。',
  'set npm_config_registry to the URL of an npm mirror':
    '把 npm_config_registry 设为 npm 镜像源的网址',
  "add a mirror's URL to {} in appliance.yaml": '在 appliance.yaml 的 {1} 中添加镜像源的网址',
  'Run `landfall lock`.': '运行 `landfall lock`。',

  'fetching the manifest of {} from {}': '从 {2} 获取 {1} 的清单',
  'mirror {} is unreachable and will not be used: {}': '无法连接镜像源 {1}，不再使用：{2}',
  'mirror {} failed, trying the next source: {}': '镜像源 {1} 失败，改用下一个来源：{2}',
  'the image on {} differs from the locked one': '{1} 上的镜像与锁文件中的不同',
  'Run `landfall lock --update` to lock the new image.':
    '运行 `landfall lock --update` 锁定新的镜像。',
  'mirror {}, and {} is unreachable': '镜像源 {1}，而且无法连接 {2}',
  '{} does not have {}': '{1} 没有 {2}',
  'Check the name and the tag, or set a mirror that has the image with --mirror.':
    '检查名称和标签，或用 --mirror 指定有这个镜像的镜像源。',
  'Check the name and the tag or digest, and that {} is a registry.':
    '检查名称、标签或摘要，以及 {1} 是不是镜像仓库。',
  '{} requires an unsupported authentication scheme': '{1} 要求不支持的登录方式',
  'Check the network for a proxy or a filter; supported schemes are Basic and Bearer.':
    '网络中可能有代理或过滤；支持的方式是 Basic 和 Bearer。',
  '{} rejected the stored login': '{1} 拒绝了保存的登录信息',
  'Run `docker login {}` again.': '重新运行 `docker login {1}`。',
  '{} requires a password, but only a token is stored': '{1} 需要密码，但只保存了令牌',
  'Run `docker login {}`; Landfall uses the login that it stores.':
    '运行 `docker login {1}`；Landfall 使用它保存的登录信息。',
  '{} returned no token': '{1} 没有返回令牌',
  'Open the address in a browser to check for a login page or a filter.':
    '用浏览器打开这个地址，检查是否有登录页或过滤。',
  'requesting a token for {}': '为 {1} 申请令牌',
  '{} rejected the login for {}': '{1} 拒绝了 {2} 的登录',
  'Run `docker login {}` again; the login may have expired or lack access to this image.':
    '重新运行 `docker login {1}`；登录可能已过期，或没有这个镜像的权限。',
  '{} denied anonymous access: the image is private or does not exist':
    '{1} 拒绝匿名访问：镜像是私有的，或不存在',
  'Check the name. For a private image run `docker login {}`.':
    '检查名称。私有镜像请先运行 `docker login {1}`。',
  '{} returned a web page': '{1} 返回了网页',
  'Open its address in a browser to check for a login page or a filter, or configure a mirror or a proxy.':
    '用浏览器打开它的地址，检查是否有登录页或过滤；或设置镜像源或代理。',
  '{} denied access to {} for the stored login': '{1} 拒绝用保存的登录信息访问 {2}',
  'Check the name and the permissions of the login, or run `docker login {}` again.':
    '检查名称和登录的权限，或重新运行 `docker login {1}`。',
  '{} denied access to {}: it does not exist or is private':
    '{1} 拒绝访问 {2}：它不存在，或是私有的',
  '{} rejected the request for {} with and without a token':
    '有没有令牌，{1} 都拒绝了对 {2} 的请求',
  'Run `docker login {}`, or check the configuration of the registry.':
    '运行 `docker login {1}`，或检查镜像仓库的配置。',
  '{} sent wrong content for {}': '{1} 返回的 {2} 内容不对',
  'Try again, or configure a mirror; a filter or a broken cache changed the content.':
    '再试一次，或设置镜像源；内容被过滤或损坏的缓存改变了。',
  'invalid {} of {}: {}': '{2} 的{1}无效：{3}',
  'Use a URL such as https://mirror.example.com or https://mirror.example.com/project, and `docker login` for logins.':
    '使用 https://mirror.example.com 或 https://mirror.example.com/project 这样的网址；登录用 `docker login`。',
  'the URL contains a password': '网址中有密码',
  'not an https URL': '不是 https 网址',
  'the URL has a query or a fragment': '网址有查询参数或片段',
  'the path is not a valid repository prefix': '路径不是有效的仓库前缀',
  'a credential helper has an invalid name': '凭据程序的名称无效',
  "Fix credsStore and credHelpers in Docker's config.json.":
    '修改 Docker 的 config.json 中的 credsStore 和 credHelpers。',
  'Fix {}, or set DOCKER_CONFIG to an empty folder to use no login.':
    '修改 {1}，或把 DOCKER_CONFIG 设为空文件夹，不使用登录。',
  '"{}" is not an image name: {}': '“{1}”不是镜像名称：{2}',
  'Set an image, such as {}.': '设置镜像，例如 {1}。',
  'Use a name such as {}.': '使用类似 {1} 的名称。',
  '"{}" is not a registry host': '“{1}”不是镜像仓库的主机',
  '"{}" is not a valid tag': '“{1}”不是有效的标签',
  '"{}" is not a valid path component': '“{1}”不是有效的路径',
  'a path component is empty': '路径中有空的部分',
  'repository names must be lower case': '仓库的名称必须是小写',
  'only SHA-256 digests are supported': '只支持 SHA-256 摘要',
  '{} is a single-platform image': '{1} 是单一平台的镜像',
  '{} is not available for {}': '{1} 没有用于 {2} 的镜像',
  'Choose another image (this one has {}), or remove the platform from appliance.yaml.':
    '换一个镜像（这个有 {1}），或从 appliance.yaml 中删除这个平台。',
  'Use the tag or the digest of an index with {}, or keep one platform in appliance.yaml.':
    '使用含有 {1} 的索引的标签或摘要，或在 appliance.yaml 中只保留一个平台。',

  '{} is not a file': '{1} 不是文件',
  'Set the path of the GGUF file.': '设置 GGUF 文件的路径。',
  'Check the path of the image or the model in appliance.yaml; it is relative to the folder of that file.':
    '检查 appliance.yaml 中镜像或模型的路径；它相对于该文件所在的文件夹。',
  '{} does not have the expected SHA-256': '{1} 的 SHA-256 与预期不符',
  'Restore the original file, or correct `sha256` and run `landfall lock --update`.':
    '恢复原来的文件，或修改 `sha256` 并运行 `landfall lock --update`。',
  '{} has changed since it was locked': '{1} 在锁定之后有变化',
  'Run `landfall lock --update {}` to lock the new version, or build on the machine whose store has the old one.':
    '运行 `landfall lock --update {1}` 锁定新版本，或在存有旧版本的电脑上构建。',
  '{} is not a model name': '{1} 不是模型名称',
  'the mirror does not have the model {}, and {} is unreachable':
    '镜像源没有模型 {1}，而且无法连接 {2}',
  '{} does not have the model {}': '{1} 没有模型 {2}',
  'Check the name and the tag, or set a mirror that has the model with --mirror.':
    '检查名称和标签，或用 --mirror 指定有这个模型的镜像源。',
  "Check the name and the tag; https://ollama.com/library lists Ollama's models.":
    '检查名称和标签；https://ollama.com/library 列出了 Ollama 的模型。',
  '{} is not a model': '{1} 不是模型',
  '{} is a safetensors model, which Ollama cannot run on Linux':
    '{1} 是 safetensors 模型，Ollama 在 Linux 上无法运行',
  'Choose a tag of the model in GGUF format.': '选择 GGUF 格式的标签。',
  '{} has no weights': '{1} 没有权重',
  'Choose a tag that can be downloaded; cloud models have no weights.':
    '选择可以下载的标签；云端模型没有权重。',
  'the GGUF file {}': '这个 GGUF 文件{1}',
  'the file is not a GGUF file': '文件不是 GGUF 文件',
  'Use the URL or path of a .gguf file, not of a web page or a safetensors file.':
    '使用 .gguf 文件的网址或路径，不是网页或 safetensors 文件。',
  'the GGUF file is damaged: {}': 'GGUF 文件已损坏：{1}',
  'it is truncated': '内容不完整',
  'Download the file again from its publisher.': '从发布者处重新下载文件。',
  'Docker does not have the image {}': 'Docker 中没有镜像 {1}',
  'Pull or build the image first; `docker image ls` lists local images.':
    '先下载或构建镜像；`docker image ls` 列出本地的镜像。',
  'cannot connect to Docker at {}': '无法连接 {1} 的 Docker',
  'cannot determine the registry of npm': '不知道 npm 的镜像源',
  'Set the environment variable npm_config_registry to the URL of an npm registry.':
    '把环境变量 npm_config_registry 设为 npm 镜像源的网址。',
  'Write {machine} instead of x86_64 or aarch64, or {arch} instead of amd64 or arm64.':
    '用 {machine} 代替 x86_64 或 aarch64，或用 {arch} 代替 amd64 或 arm64。',
  '{}[{}] is the same for every platform': '{1}[{2}] 在每个平台上都相同',
};
