"""Nothing is lost and nothing is said twice: durable inbox, order in each chat, durable outbox.

A reply is cut into parts that fit its platform; each is sent once, retried, or becomes a dead letter.
"""
