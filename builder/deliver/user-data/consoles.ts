import type { Text } from '#contract/text/language.ts';

/** How to give user-data to a provider, as its documents describe it (docs/providers.md). */
interface Console {
  /** Where the field is in its web console, or where its console runs a script. */
  readonly field: Text;
  /** Where its console runs the script of `--format shell`, if that is another place. */
  readonly script?: Text;
  /** The image to choose. */
  readonly image: Text;
  /** Command of its own tool, for `user-data.yaml` or `user-data.sh` in the current folder. */
  readonly command?: string;
}

const same = (text: string): Text => ({ en: text, zh: text });
const debian = same('Debian 13');
const ubuntu = same('Ubuntu 24.04');
const openstack =
  'openstack server create --image debian-13 --flavor m1.large --user-data user-data.yaml ai';
const encoded = '"$(base64 -w0 user-data.yaml)"';

const tat: Text = {
  en: 'instance → 执行命令 → type SHELL, user root; leave parameters off',
  zh: '实例 → 执行命令 → 类型 SHELL，用户 root，不启用参数',
};
const cloudAssistant: Text = {
  en: 'instance → 远程命令 or 命令助手 → type Shell',
  zh: '实例 → 远程命令或命令助手 → 类型 Shell',
};

/** By the short name of the provider. */
export const consoles: Readonly<Record<string, Console>> = {
  aws: {
    field: same('Launch instance → Advanced details → User data'),
    script: { en: 'document AWS-RunShellScript', zh: '文档 AWS-RunShellScript' },
    image: { en: 'Debian 13 of owner 136693071363', zh: '账号 136693071363 的 Debian 13' },
    command:
      'aws ec2 run-instances --image-id ami-… --instance-type t3.large --user-data file://user-data.yaml',
  },
  azure: {
    field: same('Create VM → Advanced → Custom data'),
    image: same('Debian:debian-13:13-gen2:latest'),
    command: `az vm create -g ai -n ai --image Debian:debian-13:13-gen2:latest --size Standard_D2s_v5 \\
  --custom-data user-data.yaml`,
  },
  gcp: {
    field: {
      en: 'Create instance → Metadata, key user-data',
      zh: 'Create instance → Metadata，键名 user-data',
    },
    image: ubuntu,
    command: `gcloud compute instances create ai --image-family ubuntu-2404-lts-amd64 --image-project ubuntu-os-cloud \\
  --machine-type e2-standard-2 --metadata-from-file user-data=user-data.yaml`,
  },
  digitalocean: {
    field: same('Create Droplet → Advanced options → Add initialization scripts'),
    image: same('debian-13-x64'),
    command: `doctl compute droplet create ai --image debian-13-x64 --size s-4vcpu-8gb --region fra1 \\
  --user-data-file user-data.yaml`,
  },
  hetzner: {
    field: same('Create server → Cloud config'),
    image: same('debian-13'),
    command:
      'hcloud server create --name ai --type cx32 --image debian-13 --user-data-from-file user-data.yaml',
  },
  linode: {
    field: same('Create Linode → Add user data'),
    image: same('linode/debian13'),
    command: `linode-cli linodes create --image linode/debian13 --type g6-standard-4 --region eu-central \\
  --metadata.user_data ${encoded}`,
  },
  oracle: {
    field: same('Create instance → Advanced options → Cloud-init script'),
    image: ubuntu,
    command: `oci compute instance launch --availability-domain … --compartment-id … --subnet-id … --image-id … \\
  --shape VM.Standard.A1.Flex --shape-config '{"ocpus":4,"memoryInGBs":24}' --user-data-file user-data.yaml`,
  },
  alibaba: {
    field: same('创建实例 → 高级选项 → 实例自定义数据'),
    script: cloudAssistant,
    image: debian,
    command: `aliyun ecs RunInstances --RegionId … --ImageId … --InstanceType ecs.g7.large --SecurityGroupId … \\
  --VSwitchId … --UserData ${encoded}`,
  },
  tencent: {
    field: same('购买云服务器 → 高级设置 → 自定义数据'),
    script: tat,
    image: debian,
    command: `tccli cvm RunInstances --region … --Placement '{"Zone":"…"}' --ImageId img-… --InstanceType S5.LARGE8 \\
  --UserData ${encoded}`,
  },
  lighthouse: {
    field: tat,
    image: { en: 'Debian 12 or 13', zh: 'Debian 12 或 13' },
    command: `tccli tat RunCommand --region … --InstanceIds '["lhins-…"]' --CommandType SHELL --Username root \\
  --Content "$(base64 -w0 user-data.sh)"`,
  },
  swas: {
    field: cloudAssistant,
    image: { en: 'Debian 12 or 13', zh: 'Debian 12 或 13' },
    command: `aliyun swas-open RunCommand --region … --InstanceId … --Name landfall --Type RunShellScript \\
  --CommandContent "$(cat user-data.sh)"`,
  },
  huawei: {
    field: same('购买弹性云服务器 → 高级配置 → 实例自定义数据注入'),
    image: { en: 'Debian 13, with a key pair', zh: 'Debian 13，登录方式选密钥对' },
    command: `hcloud ECS CreateServers --server.imageRef=… --server.flavorRef=… --server.vpcid=… --server.key_name=… \\
  --server.user_data=${encoded}`,
  },
  openstack: {
    field: same('Launch instance → Configuration → Customization script'),
    image: { en: 'depends on the operator', zh: '由运营方决定' },
    command: openstack,
  },
  ovh: {
    field: same('Create instance → Post-installation script'),
    image: debian,
    command: openstack,
  },
  vsphere: {
    field: same('Customization specification → cloud-init'),
    image: { en: 'a template with cloud-init', zh: '带 cloud-init 的模板' },
    command: `govc vm.change -vm ai -e guestinfo.userdata=${encoded} \\
  -e guestinfo.userdata.encoding=base64`,
  },
};
