import type { ChineseRows } from '#contract/text/translated.ts';

/** `landfall editor`: why the settings of an editor cannot be read or written. */
export const editorRows: ChineseRows = {
  'the hosts of the editor with {} are not known': '不知道使用 {1} 的编辑器连接哪些主机',
  "Add the vendor's API hosts with --host.": '用 --host 添加厂商的 API 主机。',
  '--host {} is not a host name': '--host {1} 不是域名',
  'Use a host name without a scheme and a path, such as api2.cursor.sh':
    '使用不含协议和路径的域名，例如 api2.cursor.sh',
  'the host responds with status {}': '主机返回状态 {1}',
  'The proxy is not working. Check its configuration and its port, and try another port.':
    '代理不可用。检查它的配置和端口，并换一个端口试试。',
  'Configure the login of the proxy: landfall editor configure --proxy http://<user>@<host>:<port>.':
    '配置代理的登录信息：landfall editor configure --proxy http://<用户>@<主机>:<端口>。',
  'The editor\'s AI reply is empty or "Network Error". Add the editor vendor\'s API domains to the proxy rules, or a wildcard such as *.cursor.sh to the PAC file.':
    '编辑器的 AI 回复为空，或显示 “Network Error”。把编辑器厂商的 API 域名加入代理规则，或把 *.cursor.sh 这样的通配符加入 PAC 文件。',
  'The sign-in with a code-hosting account does not end. Confirm http.proxy; on Windows, enable the loopback option of the proxy program; or sign in by email.':
    '用代码托管账户登录时一直没有完成。检查 http.proxy；Windows 上启用代理程序的回环选项；或用邮箱登录。',
  'Extensions cannot be installed. Add this host to the proxy rules.':
    '无法安装扩展。把这个主机加入代理规则。',
  "Install the CA of the proxy in the system's certificate store. Do not turn verification off.":
    '把代理的 CA 安装到系统的证书库。不要关闭验证。',
  "The host has a failure. Check the vendor's status page and try again later.":
    '主机出现故障。查看厂商的状态页，稍后再试。',
  '{} contains the password of the proxy. Only you can read it (mode 0600): do not sync or publish it.':
    '{1} 中有代理的密码。只有您能读取它（权限 0600）：不要同步或公开它。',
  'The editor no longer verifies certificates, so a man in the middle can read your code and your password. Use this for debugging only.':
    '编辑器不再验证证书，中间人可以读到您的代码和密码。仅用于调试。',
  'Installing extensions ignores a SOCKS proxy. Use the HTTP port of the proxy in http.proxy.':
    '安装扩展时会忽略 SOCKS 代理。请在 http.proxy 中使用代理的 HTTP 端口。',
  'http.proxyStrictSSL is false, so the editor does not verify certificates. Remove it.':
    'http.proxyStrictSSL 是 false，编辑器不验证证书。请删除它。',
  'landfall has not configured {}': 'landfall 没有配置过 {1}',
  'Check --editor or --settings; `landfall editor remove` undoes `landfall editor configure`.':
    '检查 --editor 或 --settings；`landfall editor remove` 撤销 `landfall editor configure`。',
  'the settings of editors on {} are not known': '不知道 {1} 上编辑器的设置在哪里',
  'Use --settings with the path of settings.json.': '用 --settings 指定 settings.json 的路径。',
  'no editor with the settings of VS Code was found': '没有找到使用 VS Code 设置的编辑器',
  'Start the editor once, or use --editor or --settings.':
    '先启动一次编辑器，或使用 --editor 或 --settings。',
  'several editors were found': '找到了多个编辑器',
  'Select one of them with --editor.': '用 --editor 选择一个。',
  '{} belongs to another user (uid {})': '{1} 属于另一个用户（uid {2}）',
  'Run the command as that user, without sudo.': '以那个用户运行这条命令，不加 sudo。',
  'Use the HTTP port of the proxy, such as http://10.0.0.2:7890.':
    '使用代理的 HTTP 端口，例如 http://10.0.0.2:7890。',
  'the proxy is unknown: HTTPS_PROXY is not set': '不知道代理的地址：没有设置 HTTPS_PROXY',
  'Add the proxy, for example --proxy http://10.0.0.2:7890':
    '写上代理，例如 --proxy http://10.0.0.2:7890',
  'the proxy URL is invalid: it {}': '代理的地址无效：{1}',
  'has a scheme that editors ignore when they install extensions': '编辑器安装扩展时会忽略这种协议',
  'the editor uses no proxy: {} in {}': '编辑器没有使用代理：{1}（{2}）',
  'http.proxy is not set': '没有设置 http.proxy',
  'http.proxySupport is "off", so extensions ignore http.proxy':
    'http.proxySupport 是 "off"，扩展会忽略 http.proxy',
  'http.proxy is not a URL such as http://10.0.0.2:7890':
    'http.proxy 不是 http://10.0.0.2:7890 这样的地址',
  'Run `landfall editor configure --proxy http://host:port`.':
    '运行 `landfall editor configure --proxy http://host:port`。',
  '{} is not valid JSON with comments': '{1} 不是有效的 JSON（可含注释）',
  'Fix the position below in the editor. The file was not changed.':
    '在编辑器中修改下面的位置。文件没有更改。',
  '{} does not contain an object': '{1} 的内容不是对象',
  'Put the settings between { and }.': '把设置写在 { 和 } 之间。',
  '{} has values that are nested too deep': '{1} 的嵌套层数过多',
  'Fix them in the editor. The file was not changed.': '在编辑器中修改。文件没有更改。',
  '{} occurs twice in the settings': '设置中有两个 {1}',
  'Delete the first one: the editor uses the last one. The file was not changed.':
    '删除第一个：编辑器使用最后一个。文件没有更改。',
  '{} is not a regular file of at most 4 MiB': '{1} 不是不超过 4 MiB 的普通文件',
  '{} is not a link to a file': '{1} 不是指向文件的链接',
  'Use the path of settings.json.': '使用 settings.json 的路径。',
};
