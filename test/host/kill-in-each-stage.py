"""Kills the first boot in each of its stages once, after a while that the caller drew by lot.

usage: kill-in-each-stage.py '{"users": 0.3, ...}'     seconds from a stage's beginning to its end
Prints where each kill hit, as JSON, when every stage had its turn.
"""
import json, subprocess, sys, time

waits = json.loads(sys.argv[1])
hits = {}


def stages():
    try:
        with open("/run/landfall/status.json") as file:
            return json.load(file)["stages"]
    except (OSError, ValueError):
        return []


def running():
    return next((stage["name"] for stage in stages() if stage["state"] == "running"), None)


deadline = time.monotonic() + 1200
while len(hits) < len(waits) and time.monotonic() < deadline:
    name = running()
    if name in waits and name not in hits:
        time.sleep(waits[name])
        hits[name] = running() or "between stages"
        subprocess.run(["systemctl", "kill", "--signal=KILL", "landfall-boot.service"], check=True)
    time.sleep(0.005)
print(json.dumps(hits))
sys.exit(0 if len(hits) == len(waits) else 1)
