"""A walk over the demo phone by what replies tell, without a second look.

Usage: seeing.py STEPS SEED COMMAND ARGUMENT...    the command serves the demo phone
"""

import asyncio
import os
import random
import sys

from mcp import Client, StdioServerParameters
from phone import Phone
from walk import Walk

# How often each is done.
WAYS = {"click": 50, "old": 20, "write": 8, "scroll": 10, "back": 9, "home": 3}


async def main(steps: int, seed: int, command: str, *arguments: str) -> None:
    random.seed(seed)
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server) as client:
        phone = Phone(client)
        await phone.fresh()
        walk = Walk(phone.answer)
        await walk.begin()
        for _ in range(steps):
            way = random.choices(list(WAYS), WAYS.values())[0]
            field = walk.any("text_field")
            if way == "click" and (target := walk.any()):
                await walk.step("click_element", element_id=target)
            elif way == "old" and (target := walk.old()):
                await walk.step("click_element", element_id=target)
            elif way == "write" and field:
                await walk.step("set_text", element_id=field, text=random.choice(["tea", "Ada 7", ""]))
            elif way == "scroll":
                await walk.step("scroll", direction=random.choice(["up", "down"]))
            elif way == "home":
                await walk.step("press_home")
            else:
                await walk.step("press_back")
    assert walk.acted > steps // 2, walk.acted
    print(f"ok {walk.acted} steps told rightly, {walk.unmentioned} at what the reply before had not mentioned, {walk.refused} refused")


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]))
