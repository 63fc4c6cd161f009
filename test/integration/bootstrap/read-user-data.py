"""Parses user-data and writes its files below a folder, both with cloud-init's own code. Prints the
rest of the configuration as JSON."""
import json, sys
import yaml
from cloudinit import helpers, user_data
from cloudinit.config import cc_write_files

source, target = sys.argv[1:]
with open(source, 'rb') as data:
  message = user_data.UserDataProcessor(helpers.Paths({})).process(data.read())
parts = [part for part in message.walk() if part.get_content_type() == 'text/cloud-config']
assert len(parts) == 1, [part.get_content_type() for part in message.walk()]
config = yaml.safe_load(parts[0].get_payload(decode=True))
files = config.pop('write_files')
for file in files:
  file['path'] = target + file['path']
cc_write_files.write_files('write_files', files, 'root:root')
print(json.dumps(config))
